import * as z from 'zod';

export const ROWS_PER_JSON_UPLOAD = 5_000;
export const ROWS_PER_CSV_UPLOAD = 100_000;

/** Absent, null and blank all mean "not sent". */
const text = z.string({ error: 'expected a string' }).nullish();

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One row of a JSON upload (contract section 2). */
export const ResultIn = z.object(
  {
    bib_number: z.union([z.string(), z.int().nonnegative().transform(String)], {
      error: 'expected a string',
    }),
    chip_time: text,
    gun_time: text,
    time: text,
    status: text,
    // What is no time is ignored and fails nothing, so the values may be anything; and so may the
    // names, of which z.record would lose "__proto__".
    splits: z
      .custom<Record<string, unknown>>(isObject, { error: 'expected an object of names and times' })
      .nullish(),
  },
  { error: 'expected an object' },
);

export type ResultIn = z.infer<typeof ResultIn>;

/** The body of a JSON upload; its rows are judged one by one, so that one fails alone. */
export const ResultsUploadIn = z.object(
  {
    results: z
      .array(z.unknown(), { error: 'expected an array' })
      .max(ROWS_PER_JSON_UPLOAD, { error: `expected at most ${ROWS_PER_JSON_UPLOAD} rows` }),
  },
  { error: 'expected an object with the array "results"' },
);

/** A row that did not load (contract section 2). */
export const ResultFailure = z.object({
  row: z.int(),
  bib_number: z.string().nullable(),
  reason: z.string(),
  item: z.record(z.string(), z.unknown()).optional(),
});

export type ResultFailure = z.infer<typeof ResultFailure>;

/** The answer to both uploads (contract section 2). */
export const ResultsUploadOut = z.object({
  batch_id: z.guid(),
  total_processed: z.int(),
  uploaded: z.int(),
  updated: z.int(),
  not_found: z.int(),
  errors: z.int(),
  duplicates: z.int(),
  splits_detected: z.array(z.string()),
  failed: z.array(ResultFailure),
});

export type ResultsUploadOut = z.infer<typeof ResultsUploadOut>;
