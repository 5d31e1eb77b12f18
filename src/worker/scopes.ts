/** Every scope that a key can hold. */
export const SCOPES = [
  'events:read',
  'participants:read',
  'inscriptions:read',
  'stats:read',
  'payments:read',
  'results:write',
] as const;

export type Scope = (typeof SCOPES)[number];

/** The operations of these scopes answer personal data. */
export const PERSONAL_SCOPES: readonly (Scope | undefined)[] = [
  'participants:read',
  'inscriptions:read',
];
