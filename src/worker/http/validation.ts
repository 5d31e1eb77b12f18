import * as z from 'zod/mini';
import { publicName } from '../../timing-files/read/public-name.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import { later } from '../later.ts';

/** VALIDATION_ERROR with each field, the value found and the values accepted. */
export const invalidInput = ({ issues }: z.core.$ZodError, sent: unknown): ApiError =>
  invalid('invalid_input', issues.map((issue) => describe(issue, sent)).join(' '), {
    count: issues.length,
    // A field of the schema begins the path. An unknown input has an empty path.
    inputs: [...new Set(issues.flatMap(({ path }) => path.slice(0, 1).map(String)))],
    values: issues.flatMap((issue) => (issue.code === 'custom' && issue.params) || [])[0] ?? {},
  });

const FIELD_LENGTH_MAX = 40;

/**
 * An object without other fields, for a body that makes or changes a thing: a key with `expires_On` must not become a
 * key that never expires.
 * @param expected the accepted kind of value
 */
export const onlyFields = <const Shape extends z.core.$ZodShape>(shape: Shape, expected: string) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownField(issue.keys, Object.keys(shape)) : expected,
  });

const unknownField = ([found = '']: readonly string[], known: readonly string[]): string =>
  `The body has the field ${JSON.stringify(found.slice(0, FIELD_LENGTH_MAX).toWellFormed())}, which this operation ` +
  `does not know. Its fields are ${known.join(', ')}`;

/** Postgres cannot hold NUL in a text. */
export const oneText = () =>
  z.string({ error: 'expected one value' }).check(
    z.trim(),
    z.refine((text) => !text.includes('\0'), { error: 'expected a text without NUL characters' }),
  );

/** A name in its only spelling, as `publicName` reads names. */
export const nameOf = (lengthMax: number) =>
  z.pipe(
    z.string({ error: 'expected one value' }),
    z.transform((sent, context) => {
      const { fault, name } = publicName(sent, lengthMax);
      if (fault === undefined) return name;
      context.issues.push({ code: 'custom', message: fault, input: sent });
      return z.NEVER;
    }),
  );

/**
 * How the document describes a text that is not blank. The patterns use the part of JSON Schema that every language
 * has.
 */
export const NOT_BLANK = '[^\\t\\n\\r ]';
export const ONE_LINE = '^[^\\t\\n\\r]*$';

export const undefinedIfBlank = (text: string) => (text === '' ? undefined : text);

/** A filter with an exact match. A blank value counts as not sent. */
export const wanted = () => z.optional(z.pipe(oneText(), z.transform(undefinedIfBlank)));

/** A filter by one of these values, in any case. A blank value counts as not sent. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.optional(
    z.pipe(
      z.pipe(oneText().check(z.toUpperCase()), z.transform(undefinedIfBlank)),
      z.optional(z.enum(values, { error: `expected ${values.join(', ')}` })),
    ),
  );

/**
 * A value that is not a uuid becomes the nil uuid, which no row has, so the answer is 404. Small letters, because
 * caches know an event by its id.
 */
export const uuidOrNil = () =>
  z.catch(z.guid().check(z.toLowerCase()), '00000000-0000-0000-0000-000000000000');

export const EventPath = later(() =>
  z.object({
    event_id: uuidOrNil(),
  }),
);

/** A value that cannot be a bib becomes '', which no runner has, so the answer is 404. */
export const BibPath = later(() => z.extend(EventPath(), { bib_number: z.catch(oneText(), '') }));

export const eventNotFound = () => notFound('This event');

export const runnerNotFound = () =>
  new ApiError('NOT_FOUND', 'This event has no runner with this bib.');

/** Names the bib: the request has two. */
export const noRunnerWith = (bib: string) =>
  new ApiError('NOT_FOUND', `This event has no runner with the bib ${shown(bib)}.`, {
    refusal: 'no_such_runner',
    values: { bib: bib.slice(0, SHOWN_LENGTH).toWellFormed() },
  });

function describe(issue: z.core.$ZodIssue, sent: unknown): string {
  const name = issue.path.join('.');
  if (name === '') return `${issue.message}.`;
  const value = issue.path.reduce<unknown>(
    (within, key) =>
      // A parameter sent once is a list of a single text.
      typeof within === 'string' ? within : new Map(Object.entries(within ?? {})).get(String(key)),
    sent,
  );
  const found = value === undefined ? '; it is missing' : `, not ${shown(value)}`;
  return `${name}: ${issue.message}${found}.`;
}

const SHOWN_LENGTH = 60;

/** A value for an error message. A long text is cut, and the quote is closed. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN_LENGTH).toWellFormed());
  const json = JSON.stringify(value);
  return json.length > SHOWN_LENGTH ? `a value of ${json.length} characters` : json;
}
