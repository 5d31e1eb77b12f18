import * as z from 'zod';
import { RESULT_STATUSES } from '../../../timing-files/read/result-status.ts';
import { PreviewWarning, ResultFailure, suggestedQuery } from './answer-schemas.ts';

const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });

const text = (description: string, example: string) =>
  z.string().meta({ description, examples: [example] });

const time = (description: string, example: string | null) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [example] });

const line = z
  .int()
  .min(1)
  .meta({ description: 'Line of the file on which the row starts.', examples: [2] });

const status = z
  .enum(RESULT_STATUSES)
  .meta({ description: 'Outcome of the race.', examples: ['FINISHED'] });

const PreviewColumn = z
  .object({
    name: text('Name in the header. Empty if the column has none.', 'time'),
    meaning: z
      .enum(['bib', 'chip_time', 'gun_time', 'status', 'split'])
      .nullable()
      .meta({
        description: 'What the column is read as. Null if it is not read.',
        examples: ['chip_time'],
      }),
    why: text('Why it has this meaning, for people.', 'its name says so'),
    samples: z.array(z.string()).meta({
      description: 'The first cells with a text, at most 3.',
      examples: [['01:28:03.512']],
    }),
  })
  .meta({ id: 'PreviewColumn', description: 'A column of the file.' });

const PreviewRow = z
  .object({
    row: line,
    bib_number: text('Bib number.', '17'),
    status,
    chip_time: time('Net time, `HH:MM:SS.mmm`.', '01:28:03.512'),
    gun_time: time('Gross time, `HH:MM:SS.mmm`.', null),
    splits: z.record(z.string(), z.string().nullable()).meta({
      description: 'Split times by split name, `HH:MM:SS.mmm`.',
      examples: [{ 'Km 10': '00:41:50.000' }],
    }),
  })
  .meta({ id: 'PreviewRow', description: 'A row of the file as it is read.' });

const PreviewCounts = z
  .object({
    total_processed: count('Rows that are read.', 3),
    uploaded: count('Rows that would create a result.', 2),
    updated: count('Rows whose bib has a result already.', 1),
    not_found: count('Rows whose bib has no registration.', 0),
    errors: count('Rows with an error.', 0),
    duplicates: count('Rows replaced by a later row with the same bib.', 0),
    new: count('The same as `uploaded`.', 2),
    changed: count(
      'Rows of `updated` with another status, time or split than the stored result.',
      0,
    ),
    unchanged: count('Rows of `updated` that are like the stored result.', 1),
    statuses: z
      .object({
        FINISHED: count('Valid rows with the status FINISHED.', 2),
        DNS: count('Valid rows with the status DNS.', 0),
        DNF: count('Valid rows with the status DNF.', 1),
        DSQ: count('Valid rows with the status DSQ.', 0),
      })
      .meta({
        description: 'Valid rows by status, repeated bibs included.',
        examples: [{ FINISHED: 2, DNS: 0, DNF: 1, DSQ: 0 }],
      }),
  })
  .meta({
    id: 'PreviewCounts',
    description: 'The counts that the upload would answer with, and what it would change.',
  });

/** The answer to a preview. */
export const ResultsFilePreview = z
  .object({
    encoding: text('Encoding of the file. `windows-1252` includes latin-1.', 'utf-8'),
    delimiter: text('The character between the cells.', ','),
    header_line: count('Line of the header. 0 if the file has none.', 1),
    columns: z.array(PreviewColumn).meta({ description: 'The columns of the file, in order.' }),
    counts: PreviewCounts,
    rows: z.array(PreviewRow).meta({ description: 'The first rows, at most 10.' }),
    failed: z.array(ResultFailure).meta({
      description: 'The first rows that would fail, at most 10.',
      examples: [[]],
    }),
    warnings: z.array(PreviewWarning).meta({
      description:
        'What a person should look at: first what would happen with the suggestion, then what would ' +
        'happen with the parameters that were sent, then what does not fit to the event.',
      examples: [[]],
    }),
    suggestion: z
      .object({
        query: suggestedQuery,
        why: text('How the file is read with it, for people.', '"Startnummer" is the bib.'),
      })
      .nullable()
      .meta({
        description:
          'The parameters to upload the file with. Null if a person has to decide: `choices` of the ' +
          'warnings then has a query for each answer.',
        examples: [{ query: '', why: '"bib" is the bib; "time" is the time.' }],
      }),
  })
  .meta({
    id: 'ResultsFilePreview',
    description:
      'How a file would be read. If an upload with these parameters would refuse the file, `columns`, ' +
      '`counts`, `rows` and `failed` are those of the suggestion.',
  });

export type ResultsFilePreview = z.infer<typeof ResultsFilePreview>;
