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

const environment = z.object({
  DATABASE_URL: postgresUrl,
  UPSTASH_REDIS_REST_URL: z.url({ protocol: /^https?$/ }),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1),
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
