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

/** Whoever answers there decides who is let in: in the clear only on this very machine. */
const keysUrl = z.string().refine(
  (text) => {
    const url = URL.parse(text);
    if (url?.protocol === 'https:') return true;
    return url?.protocol === 'http:' && LOOPBACK_HOST.test(url.hostname);
  },
  { error: 'expected an https address' },
);

const variables = z.object({
  DATABASE_URL: postgresUrl,
  UPSTASH_REDIS_REST_URL: z.url({ protocol: /^https?$/ }),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1),
  PANEL_JWT_SECRET: z
    .string()
    .min(SECRET_MIN, { error: `expected at least ${SECRET_MIN} characters` })
    .optional(),
  PANEL_JWKS_URL: keysUrl.optional(),
  PANEL_JWT_ISSUER: z.string().min(1).optional(),
  PANEL_JWT_AUDIENCE: z.string().min(1).optional(),
});

/** Told together with what else is wrong, and not only once the rest is right. */
const always = { when: ({ value }: { value: unknown }) => typeof value === 'object' && !!value };

/** What panel sessions are verified with: a second way in would be one more than anybody guards. */
const environment = variables
  .refine((env) => env.PANEL_JWT_SECRET !== undefined || env.PANEL_JWKS_URL !== undefined, {
    ...always,
    path: ['PANEL_JWT_SECRET'],
    error: 'missing, or PANEL_JWKS_URL in its place',
  })
  .refine((env) => env.PANEL_JWT_SECRET === undefined || env.PANEL_JWKS_URL === undefined, {
    ...always,
    path: ['PANEL_JWKS_URL'],
    error: 'set beside PANEL_JWT_SECRET, where exactly one of the two is expected',
  });

export type Config = z.infer<typeof environment>;

/**
 * The Worker's bindings, checked.
 * @throws Error that names every variable which is missing or malformed, and never shows a value.
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
