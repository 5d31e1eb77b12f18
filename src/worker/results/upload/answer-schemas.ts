import * as z from 'zod';
import { REASON_CODES } from '../../../timing-files/read/reason-codes.ts';
import { WARNING_CODES } from '../../../timing-files/suggest/warning.ts';

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

/** A query that can be put behind `?` as it is. */
export const suggestedQuery = z.string().meta({
  description:
    'Query parameters for the upload. Put it behind `?` as it is. Empty if no parameter is needed.',
  examples: ['bib=Startnummer&chip_time=Netto'],
});

export const PreviewWarning = z
  .object({
    code: z.enum(WARNING_CODES).meta({
      description:
        'What the warning is about, for programs. New codes may be added. A code never changes its ' +
        'meaning.',
      examples: ['whole_minutes'],
    }),
    detail: z.string().meta({
      description: 'The warning, for people.',
      examples: [
        'Every time is a whole number of minutes: check that its parts are hours and minutes.',
      ],
    }),
    rows: z.array(z.int()).meta({
      description:
        'Lines of the file that it is about, the first ones. Empty if it is about the whole file.',
      examples: [[2]],
    }),
    choices: z
      .array(
        z.object({
          query: suggestedQuery,
          why: z.string().meta({
            description: 'What the choice means, for people.',
            examples: ['1:28 is 1 h 28 min'],
          }),
        }),
      )
      .optional()
      .meta({
        description: 'The answers between which a person has to decide.',
        examples: [[{ query: 'time_format=hours_minutes', why: '1:28 is 1 h 28 min' }]],
      }),
  })
  .meta({
    id: 'PreviewWarning',
    description: 'Something that a person should look at.',
  });

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
    warnings: z
      .array(PreviewWarning)
      .optional()
      .meta({
        description:
          'Only for a file. What a person should look at: times that are unlikely, and columns that are not ' +
          'read. They are the warnings of a preview, without those that compare with the event.',
        examples: [[]],
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
