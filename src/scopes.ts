/** What a key may be allowed to do, as listed in the contract's section 5. */
export const SCOPES = [
  'events:read',
  'participants:read',
  'inscriptions:read',
  'stats:read',
  'payments:read',
  'results:write',
] as const;

export type Scope = (typeof SCOPES)[number];
