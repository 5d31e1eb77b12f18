import * as z from 'zod/mini';
import { RESULT_PARAMETERS } from '../../../timing-files/read/parameters.ts';
import { JSON_ROWS_MAX } from '../../../timing-files/read/result.ts';
import { RESULT_STATUSES } from '../../../timing-files/read/result-status.ts';
import { later } from '../../later.ts';
import { ReasonQuery, SenderQuery, TimesQuery, trueOrFalse } from '../schemas.ts';

export const ROWS_PER_JSON_UPLOAD = JSON_ROWS_MAX;
export { FILE_ROWS_MAX as ROWS_PER_CSV_UPLOAD } from '../../../timing-files/read/results-file.ts';

const MIB = 1_024 * 1_024;
export const JSON_BODY_MAX = 8 * MIB;
export const CSV_BODY_MAX = 16 * MIB;

/** Absent, null and blank all mean "not sent". */
const text = (described: z.core.GlobalMeta = {}) =>
  z.nullish(z.string({ error: 'expected a string' }).register(z.globalRegistry, described));

/**
 * Types alone describe a row. Any further error fails only the row, so a client that checks the document may not refuse
 * good rows.
 */
const time = () => text();

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** PHP writes an empty map so. */
const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The bib of a row. An integer counts as its digits. */
export const bibNumber = () =>
  z.union([z.string(), z.pipe(z.int().check(z.nonnegative()), z.transform(String))], {
    error: 'expected a string',
  });

/** A row of uploadEventResults. */
export const ResultIn = later(() =>
  z.object(
    {
      bib_number: bibNumber(),
      chip_time: time(),
      gun_time: time(),
      time: time(),
      status: text({ 'x-extensible-enum': RESULT_STATUSES }),
      // An invalid time is ignored, so any value is accepted. z.record would lose the name "__proto__".
      splits: z.nullish(
        z
          .custom<Record<string, unknown>>((value) => isObject(value) || isEmptyArray(value), {
            error: 'expected an object of names and times',
          })
          .register(z.globalRegistry, {
            override: {
              type: 'object',
              additionalProperties: { type: 'string' },
            },
          }),
      ),
    },
    { error: 'expected an object' },
  ),
);

export type ResultIn = z.infer<ReturnType<typeof ResultIn>>;

/** The rows of a JSON upload. Each row is checked alone, so that a bad row fails alone. */
export const rows = () =>
  z.array(z.unknown(), { error: 'expected an array' }).check(
    z.maxLength(ROWS_PER_JSON_UPLOAD, {
      error: `expected at most ${ROWS_PER_JSON_UPLOAD} rows`,
    }),
  );

/** The query of uploadEventResults. */
export const ResultsUploadQuery = later(() =>
  z.extend(ReasonQuery(), {
    ...SenderQuery().shape,
    ...TimesQuery().shape,
    by_hand: z._default(trueOrFalse(), 'false'),
  }),
);

/** The body of uploadEventResults. */
export const ResultsUploadIn = later(() =>
  z.object({ results: rows() }, { error: 'expected an object with the array "results"' }),
);

/** Query parameters of a file. `parseParameters` reads their values. */
export const fileParameters = (names: readonly string[]): Record<never, z.ZodMiniType> =>
  Object.fromEntries(names.map((name) => [name, z.optional(z.unknown())]));

export const FileQuery = later(() => z.extend(SenderQuery(), fileParameters(RESULT_PARAMETERS)));

export const FileUploadQuery = later(() => z.extend(ReasonQuery(), FileQuery().shape));
