import * as z from 'zod';
import { RACE_TIME_PATTERN } from '../../../timing-files/race-time.ts';
import { REASON_CODES } from '../../../timing-files/reason-codes.ts';
import { RESULT_STATUSES } from '../../../timing-files/result-status.ts';

export const ROWS_PER_JSON_UPLOAD = 5_000;
export { FILE_ROWS_MAX as ROWS_PER_CSV_UPLOAD } from '../../../timing-files/results-file.ts';

const MIB = 1_024 * 1_024;
export const JSON_BODY_MAX = 8 * MIB;
export const CSV_BODY_MAX = 16 * MIB;

/** Absent, null and blank all mean "not sent". */
const text = (described: { pattern?: string; enum?: readonly string[] }) =>
  z.string({ error: 'expected a string' }).meta(described).nullish();

/** The name of a bib or a split: not blank, and without NUL, which Postgres cannot store. */
const STORABLE_NAME = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';

const time = text({ pattern: RACE_TIME_PATTERN });

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One row of uploadEventResults. */
export const ResultIn = z
  .object(
    {
      bib_number: z
        .union(
          [z.string().meta({ pattern: STORABLE_NAME }), z.int().nonnegative().transform(String)],
          {
            error: 'expected a string',
          },
        )
        .meta({
          description: 'Bib number of a registration. An integer counts as its digits.',
          examples: ['17'],
        }),
      chip_time: time.meta({
        description: 'Net time, from start line to finish.',
        examples: ['01:28:03.512'],
      }),
      gun_time: time.meta({
        description: 'Gross time, from gun to finish.',
        examples: ['01:28:40'],
      }),
      time: time.meta({
        description: 'Alias of `chip_time`. If both are sent, `chip_time` is used.',
        examples: ['01:28:03.512'],
      }),
      status: text({ enum: RESULT_STATUSES }).meta({
        description: 'Outcome of the race, in any case.',
        default: 'FINISHED',
        examples: ['FINISHED'],
      }),
      // An invalid time is ignored, so any value is accepted. z.record would lose the name "__proto__".
      splits: z
        .custom<Record<string, unknown>>(isObject, {
          error: 'expected an object of names and times',
        })
        .meta({
          override: {
            type: 'object',
            propertyNames: { pattern: STORABLE_NAME },
            additionalProperties: { type: 'string' },
          },
        })
        .nullish()
        .meta({
          description: 'Split times by split name. An invalid time is ignored.',
          examples: [{ 'Km 10': '41:50' }],
        }),
    },
    { error: 'expected an object' },
  )
  .meta({
    id: 'ResultIn',
    description:
      'The result of one bib. A FINISHED row needs a chip time or a gun time. Rows with another ' +
      'status are stored without chip time and gun time.',
  });

export type ResultIn = z.infer<typeof ResultIn>;

/** The body of a JSON upload. Each row is checked alone, so that one row fails alone. */
export const ResultsUploadIn = z
  .object(
    {
      results: z
        .array(z.unknown(), { error: 'expected an array' })
        .max(ROWS_PER_JSON_UPLOAD, { error: `expected at most ${ROWS_PER_JSON_UPLOAD} rows` })
        .meta({
          description:
            'The rows. A row that is not a valid ResultIn is listed in `failed`, and the other rows ' +
            'load.',
          override: {
            items: { $ref: '#/components/schemas/ResultIn' },
            'x-items-fail-alone': true,
          },
          examples: [
            [
              { bib_number: '17', chip_time: '01:28:03.512', splits: { 'Km 10': '41:50' } },
              { bib_number: '18', chip_time: '01:31:00' },
              { bib_number: '19', status: 'DNF' },
            ],
          ],
        }),
    },
    { error: 'expected an object with the array "results"' },
  )
  .meta({ id: 'ResultsUploadIn', description: 'Results, one row per bib.' });

/** A row that did not load. */
export const ResultFailure = z
  .object({
    row: z
      .int()
      .min(1)
      .meta({
        description:
          'JSON upload: position of the row in the array, from 1. CSV upload: line of the file on ' +
          'which the row starts, where the header is line 1.',
        examples: [2],
      }),
    bib_number: z
      .string()
      .nullable()
      .meta({
        description: 'Bib of the row. Null if the row has no bib.',
        examples: ['18'],
      }),
    reason: z.string().meta({
      description: 'Why the row failed, for people.',
      examples: ['No registration of this event has the bib number "18".'],
    }),
    reason_code: z.enum(REASON_CODES).meta({
      description:
        'Why the row failed, for programs. New codes may be added. A code never changes its meaning.',
      examples: ['unknown_bib'],
    }),
    item: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description:
          'The row as it was sent, or as its cells were read. Absent if a JSON row is not an object.',
        examples: [{ bib_number: '18', chip_time: '01:31:00' }],
      }),
  })
  .meta({ id: 'ResultFailure', description: 'A row that failed.' });

export type ResultFailure = z.infer<typeof ResultFailure>;

/** The answer of uploadEventResults and uploadEventResultsFile. */
export const ResultsUploadOut = z
  .object({
    batch_id: z.guid().meta({
      description: 'Id of this upload.',
      examples: ['b0000000-0000-4000-8000-000000000001'],
    }),
    total_processed: z
      .int()
      .min(0)
      .meta({ description: 'Rows processed.', examples: [3] }),
    uploaded: z
      .int()
      .min(0)
      .meta({ description: 'Rows that created a result.', examples: [1] }),
    updated: z
      .int()
      .min(0)
      .meta({
        description: 'Rows whose bib had a result before, `unchanged` included.',
        examples: [1],
      }),
    unchanged: z
      .int()
      .min(0)
      .meta({
        description: 'Rows among `updated` that equal the stored result. They were not written.',
        examples: [0],
      }),
    not_found: z
      .int()
      .min(0)
      .meta({ description: 'Rows whose bib has no registration.', examples: [1] }),
    errors: z
      .int()
      .min(0)
      .meta({ description: 'Rows with an error.', examples: [0] }),
    duplicates: z
      .int()
      .min(0)
      .meta({
        description: 'Rows replaced by a later row with the same bib. They are not in `failed`.',
        examples: [0],
      }),
    splits_detected: z.array(z.string()).meta({
      description: 'Split names in the loaded rows, in order of appearance.',
      examples: [['Km 10']],
    }),
    failed: z.array(ResultFailure).meta({
      description:
        'The rows counted in `not_found` and `errors`, in row order. Correct them and send only them ' +
        'again. Empty if all rows loaded.',
    }),
  })
  .meta({
    id: 'ResultsUploadOut',
    description:
      'The outcome of an upload. `uploaded`, `updated`, `not_found`, `errors` and `duplicates` ' +
      'add up to `total_processed`.',
  });

export type ResultsUploadOut = z.infer<typeof ResultsUploadOut>;
