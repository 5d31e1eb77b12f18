import * as z from 'zod';

const postgresUrl = z.string().refine(
  (text) => {
    const url = URL.parse(text);
    return (
      url !== null &&
      /^postgres(ql)?:$/.test(url.protocol) &&
      url.hostname !== '' &&
      url.username !== '' &&
      url.pathname.length > 1
    );
  },
  { error: 'expected postgres://user:password@host/database' },
);

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])$/;
const SECRET_MIN = 32;

/** The keys from this address decide who gets in, so plain http is accepted on loopback only. */
const keysUrl = z.string().refine(
  (text) => {
    const url = URL.parse(text);
    if (url?.protocol === 'https:') return true;
    return url?.protocol === 'http:' && LOOPBACK_HOST.test(url.hostname);
  },
  { error: 'expected an https address' },
);

/**
 * Every variable of the deployed Worker. `npm run dev` writes them to `.dev.vars`; for a deployment, set
 * each with `wrangler secret put`. `.dev.vars.example` shows them all.
 */
const variables = z.object({
  /** The Neon database: `postgres://user:password@host/database`. A loopback host is the local gateway. */
  DATABASE_URL: postgresUrl,
  /** The REST address of the Upstash Redis that counts requests for the rate limit. */
  UPSTASH_REDIS_REST_URL: z.url({ protocol: /^https?$/ }),
  /** The token of that Redis. */
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1),
  /** The secret that signs panel sessions (HS256), of at least 32 characters. Excludes PANEL_JWKS_URL. */
  PANEL_JWT_SECRET: z
    .string()
    .min(SECRET_MIN, { error: `expected at least ${SECRET_MIN} characters` })
    .optional(),
  /** The https address of the panel's public keys (RS256, ES256, EdDSA). Excludes PANEL_JWT_SECRET. */
  PANEL_JWKS_URL: keysUrl.optional(),
  /** If set, panel sessions must have this `iss`. */
  PANEL_JWT_ISSUER: z.string().min(1).optional(),
  /** If set, panel sessions must have this `aud`. */
  PANEL_JWT_AUDIENCE: z.string().min(1).optional(),
});

/** Zod skips refinements when a field is invalid. This option runs them, to report everything at once. */
const evenIfInvalid = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && !!value,
};

/** Panel sessions have one way in: exactly one of the two is set. */
const environment = variables
  .refine((env) => env.PANEL_JWT_SECRET !== undefined || env.PANEL_JWKS_URL !== undefined, {
    ...evenIfInvalid,
    path: ['PANEL_JWT_SECRET'],
    error: 'missing, or PANEL_JWKS_URL in its place',
  })
  .refine((env) => env.PANEL_JWT_SECRET === undefined || env.PANEL_JWKS_URL === undefined, {
    ...evenIfInvalid,
    path: ['PANEL_JWKS_URL'],
    error: 'set beside PANEL_JWT_SECRET, where exactly one of the two is expected',
  });

export type Config = z.infer<typeof environment>;

/**
 * Checks the Worker's variables.
 * @throws Error that names every missing or malformed variable and shows no value
 */
export function parseConfig(bindings: unknown): Config {
  const parsed = environment.safeParse(bindings);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, code, message }) =>
      `${path.join('.')}: ${code === 'invalid_type' ? 'missing' : message}`,
  );
  throw new Error(
    `The Worker's variables are incomplete (${problems.join('; ')}). ` +
      'Locally `npm run dev` writes them to .dev.vars; deployed, they are set with `wrangler secret put`.',
  );
}
