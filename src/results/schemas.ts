import * as z from 'zod';
import { RESULT_STATUSES } from '../db/schema.ts';
import { RACE_TIME_PATTERN } from './race-time.ts';

export const ROWS_PER_JSON_UPLOAD = 5_000;
export const ROWS_PER_CSV_UPLOAD = 100_000;

const MIB = 1_024 * 1_024;
export const JSON_BODY_MAX = 8 * MIB;
export const CSV_BODY_MAX = 16 * MIB;

/** Absent, null and blank all mean "not sent". */
const text = (described: { pattern?: string; enum?: readonly string[] }) =>
  z.string({ error: 'expected a string' }).meta(described).nullish();

/** What a bib and a split may be called: not blank, and nothing that no text can hold. */
const STORABLE_NAME = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';

const time = text({ pattern: RACE_TIME_PATTERN });

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One row of a JSON upload (contract section 2). */
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
          description: 'The bib of a registration. An integer is taken as its digits.',
          examples: ['17'],
        }),
      chip_time: time.meta({
        description: 'Net time, from the start line to the finish.',
        examples: ['01:28:03.512'],
      }),
      gun_time: time.meta({
        description: 'Gross time, from the gun to the finish.',
        examples: ['01:28:40'],
      }),
      time: time.meta({
        description: 'Another name of `chip_time`, which goes first where both are sent.',
        examples: ['01:28:03.512'],
      }),
      status: text({ enum: RESULT_STATUSES }).meta({
        description: 'How the race ended for the bib. Lower case will do.',
        default: 'FINISHED',
        examples: ['FINISHED'],
      }),
      // What is no time is ignored and fails nothing, so the values may be anything; and so may the
      // names, of which z.record would lose "__proto__".
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
          description: 'Times by the name of the split. A value that is no time is ignored.',
          examples: [{ 'Km 10': '41:50' }],
        }),
    },
    { error: 'expected an object' },
  )
  .meta({
    id: 'ResultIn',
    description:
      'A result of one bib, as a row that loads looks. A FINISHED row has a chip time or a gun ' +
      'time; of any other, both are ignored.',
  });

export type ResultIn = z.infer<typeof ResultIn>;

/** The body of a JSON upload; its rows are judged one by one, so that one fails alone. */
export const ResultsUploadIn = z
  .object(
    {
      results: z
        .array(z.unknown(), { error: 'expected an array' })
        .max(ROWS_PER_JSON_UPLOAD, { error: `expected at most ${ROWS_PER_JSON_UPLOAD} rows` })
        .meta({
          description:
            'The rows. One that is no ResultIn fails alone: it is answered in `failed`, and the ' +
            'others load.',
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
  .meta({ id: 'ResultsUploadIn', description: 'Results, a row for each bib.' });

/** A row that did not load (contract section 2). */
export const ResultFailure = z
  .object({
    row: z
      .int()
      .min(1)
      .meta({
        description:
          'Of a JSON upload, its place in the array, the first being 1; of a CSV, the line of the ' +
          'file on which it starts, the header being line 1.',
        examples: [2],
      }),
    bib_number: z
      .string()
      .nullable()
      .meta({
        description: 'The bib of the row, null where it has none.',
        examples: ['18'],
      }),
    reason: z.string().meta({
      description: 'Why it did not load, for people.',
      examples: ['No registration of this event has the bib number "18".'],
    }),
    item: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description:
          'The row as it was sent, or as its cells were read; absent where it was no object.',
        examples: [{ bib_number: '18', chip_time: '01:31:00' }],
      }),
  })
  .meta({ id: 'ResultFailure', description: 'A row that did not load.' });

export type ResultFailure = z.infer<typeof ResultFailure>;

/** The answer to both uploads (contract section 2). */
export const ResultsUploadOut = z
  .object({
    batch_id: z.guid().meta({
      description: 'Id of this upload.',
      examples: ['b0000000-0000-4000-8000-000000000001'],
    }),
    total_processed: z
      .int()
      .min(0)
      .meta({ description: 'Rows of the upload.', examples: [3] }),
    uploaded: z
      .int()
      .min(0)
      .meta({ description: 'Rows whose bib had no result yet.', examples: [1] }),
    updated: z
      .int()
      .min(0)
      .meta({ description: 'Rows that replaced a result.', examples: [1] }),
    not_found: z
      .int()
      .min(0)
      .meta({ description: 'Rows whose bib nobody has.', examples: [1] }),
    errors: z
      .int()
      .min(0)
      .meta({ description: 'Rows that cannot be loaded as they are.', examples: [0] }),
    duplicates: z
      .int()
      .min(0)
      .meta({
        description: 'Rows that gave way to a later one of the same bib. They are not in `failed`.',
        examples: [0],
      }),
    splits_detected: z.array(z.string()).meta({
      description: 'Names of the splits in the rows that loaded, in order of appearance.',
      examples: [['Km 10']],
    }),
    failed: z.array(ResultFailure).meta({
      description:
        'The rows behind `not_found` and `errors`, in row order. Correct these and send these ' +
        'alone; empty where everything loaded.',
    }),
  })
  .meta({
    id: 'ResultsUploadOut',
    description:
      'What became of the rows. `uploaded`, `updated`, `not_found`, `errors` and `duplicates` ' +
      'add up to `total_processed`.',
  });

export type ResultsUploadOut = z.infer<typeof ResultsUploadOut>;
