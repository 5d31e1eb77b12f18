import * as z from 'zod/mini';
import { SCOPES, type Scope } from '../scopes.ts';
import { parseInstant } from './instant.ts';

export const NAME_MAX = 100;
const LATEST_EXPIRY = new Date('9999-12-31T23:59:59.999Z');

/** Counts characters as Postgres does, and refuses those that Postgres cannot hold. */
const isName = (text: string): boolean => {
  const length = [...text].length;
  return length >= 1 && length <= NAME_MAX && text.isWellFormed() && !text.includes('\0');
};

const nameExpected = {
  error: `expected a text of 1 to ${NAME_MAX} characters, none of them NUL or half a character`,
};
const scopesExpected = { error: `expected one or more of ${SCOPES.join(', ')}, each once` };
const expiryExpected = {
  error:
    'expected null or an instant in the future, in ISO 8601 with its offset from UTC, ' +
    'such as 2030-12-31T23:59:59-05:00',
};

const scopesOfKey = z.array(z.enum(SCOPES)).check(
  z.minLength(1),
  z.refine((scopes) => new Set(scopes).size === scopes.length),
);

const keyName = z.string(nameExpected).check(z.trim(), z.refine(isName, nameExpected));

/** The body of renameApiKey. */
export const ApiKeyNameIn = z.object(
  { name: keyName },
  { error: 'expected an object with the field "name"' },
);

/** The body of createApiKey. `expires_at` must be later than `now`. */
export const apiKeyIn = (now: Date) =>
  z.object(
    {
      name: keyName,
      // One check for the whole array, so that its error appears once.
      scopes: z.custom<Scope[]>((sent) => scopesOfKey.safeParse(sent).success, scopesExpected),
      expires_at: z.nullish(
        z.pipe(
          z.string(expiryExpected),
          z.transform((text, context) => {
            const instant = parseInstant(text);
            if (instant && instant > now && instant <= LATEST_EXPIRY) return instant.toISOString();
            context.issues.push({
              code: 'custom',
              message: expiryExpected.error,
              input: text,
            });
            return z.NEVER;
          }),
        ),
      ),
    },
    { error: 'expected an object with the fields "name" and "scopes"' },
  );

export type ApiKeyIn = z.infer<ReturnType<typeof apiKeyIn>>;
