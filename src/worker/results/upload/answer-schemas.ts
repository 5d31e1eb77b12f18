import * as z from 'zod';
import { REASON_CODES } from '../../../timing-files/read/reason-codes.ts';

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
