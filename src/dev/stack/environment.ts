import * as z from 'zod';

/** A number in a person's spelling, without a sign or an exponent. */
export const wholeNumber = (least: number, most: number) => {
  const error = `expected a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d+$/, { error })
    .transform(Number)
    .pipe(z.int().min(least, { error }).max(most, { error }));
};
const milliseconds = wholeNumber(0, 60_000).default(0);

const Environment = z.object({
  PORT: wholeNumber(1, 65_535).optional(),
  DATABASE_URL: z.string().optional(),
  REDIS_URL: z.string().optional(),
  LOCAL_POSTGRES_DELAY_MS: milliseconds,
  LOCAL_REDIS_DELAY_MS: milliseconds,
});

/**
 * Reads the variables of the local stack. A blank variable counts as not set.
 * @throws Error with a single line: each wrong variable, its value, and its accepted values
 */
export function parseEnvironment(
  variables: Record<string, string | undefined>,
): z.infer<typeof Environment> {
  const set = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = Environment.safeParse(set);
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(({ path, message }) => {
    const name = path.join('.');
    return `${name}: ${message}, not ${JSON.stringify(set[name])}`;
  });
  throw new Error(`${reasons.join('; ')}.`);
}
