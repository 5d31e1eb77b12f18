import * as z from 'zod/mini';
import { KEY_NAME_MAX } from '../db/sql.ts';
import { invalid } from '../errors.ts';
import { onlyFields } from '../http/validation.ts';
import { later } from '../later.ts';
import { SCOPES, type Scope } from '../scopes.ts';

const LATEST_EXPIRY = new Date('9999-12-31T23:59:59.999Z');
/** Room for programs that write many digits of a fraction. */
const INSTANT_MAX = 100;

/** Counts characters as Postgres does, and refuses characters that Postgres cannot hold. */
const isName = (text: string): boolean => {
  const length = [...text].length;
  return length >= 1 && length <= KEY_NAME_MAX && text.isWellFormed() && !text.includes('\0');
};

const nameExpected = {
  error: `expected a text of 1 to ${KEY_NAME_MAX} characters, none of them NUL or half a character`,
};
const scopesExpected = { error: `expected one or more of ${SCOPES.join(', ')}, each once` };
const expiryExpected = {
  error:
    'expected null or an instant in the future, with its offset from UTC, ' +
    'such as 2030-12-31T23:59:59-05:00',
};

/**
 * ISO 8601 with a calendar date in the extended form, a time with or without seconds and their fraction, and an offset.
 */
const INSTANT = /^([\d-]+)T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:(Z)|([+-]\d\d)(?::?(\d\d))?)$/i;

/** The form of RFC 3339; any other text stays unchanged. */
const inOneForm = (text: string): string =>
  text.replace(INSTANT, (_, date, time, seconds = ':00', utc, hours, minutes = '00') =>
    utc ? `${date}T${time}${seconds}Z` : `${date}T${time}${seconds}${hours}:${minutes}`,
  );

/** The length check comes first, so no long text meets a regular expression. */
const instant = () =>
  z.pipe(
    z
      .string(expiryExpected)
      .check(z.maxLength(INSTANT_MAX, { ...expiryExpected, abort: true }), z.overwrite(inOneForm)),
    z.iso.datetime({ ...expiryExpected, offset: true, abort: true }),
  );

const scopesOfKey = later(() =>
  z.array(z.enum(SCOPES)).check(
    z.minLength(1),
    z.refine((scopes) => new Set(scopes).size === scopes.length),
  ),
);

const keyName = later(() => z.string(nameExpected).check(z.trim(), z.refine(isName, nameExpected)));

/** The body of renameApiKey. */
export const ApiKeyNameIn = later(() =>
  onlyFields({ name: keyName() }, 'Send an object with the field "name"'),
);

/** The body of createApiKey. */
export const ApiKeyIn = later(() =>
  onlyFields(
    {
      name: keyName(),
      // A single check for the whole array, so that its error appears once.
      scopes: z.custom<Scope[]>((sent) => scopesOfKey().safeParse(sent).success, scopesExpected),
      expires_at: z.nullish(
        z.pipe(
          instant(),
          z.transform((text, context) => {
            const expiry = new Date(text);
            if (expiry <= LATEST_EXPIRY) return expiry.toISOString();
            context.issues.push({ code: 'custom', message: expiryExpected.error, input: text });
            return z.NEVER;
          }),
        ),
      ),
      event_id: z.nullish(z.guid({ error: 'expected null or the id of an event' })),
    },
    'Send an object with the fields "name" and "scopes"',
  ),
);

export type ApiKeyIn = z.infer<ReturnType<typeof ApiKeyIn>>;

/** @throws ApiError VALIDATION_ERROR if a key with this expiry would be dead */
export function requireFuture(expiry: string | null | undefined, now: Date): void {
  if (!expiry || new Date(expiry) > now) return;
  throw invalid(
    'invalid_input',
    `expires_at: ${expiryExpected.error}, not ${JSON.stringify(expiry)}.`,
  );
}
