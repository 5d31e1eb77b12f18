import * as z from 'zod';
import { byStatus, type ResultStatus } from '../../../timing-files/read/result-status.ts';
import { count, field, text, textOrNull } from '../../http/answer-schemas.ts';
import { ResultContent } from '../batches/answer-schemas.ts';
import { LEFT_PREVIEWED } from '../left-reasons.ts';
import { names } from '../panel-answer-schemas.ts';
import { resultStatus } from '../read/answer-schemas.ts';
import { LeftResult, PreviewWarning, ResultFailure, suggestedQuery } from './answer-schemas.ts';

const PreviewColumn = z
  .object({
    name: text('Name in the header. Empty if the column has none.', 'time'),
    meaning: field(
      z.enum(['bib', 'chip_time', 'gun_time', 'status', 'split']).nullable(),
      'What the column is read as. Null if it is not read.',
      'chip_time',
    ),
    why: text('Why it has this meaning, for people.', 'its name says so'),
    samples: field(z.array(z.string()), 'The first cells with a text, at most 3.', [
      '01:28:03.512',
    ]),
  })
  .meta({ id: 'PreviewColumn', description: 'A column of the file.' });

export const PreviewRow = z
  .object({
    row: field(z.int().min(1), 'Line of the file on which the row starts.', 2),
    bib_number: text('Bib number.', '17'),
    status: resultStatus,
    chip_time: textOrNull('Net time, `HH:MM:SS.mmm`.', '01:28:03.512'),
    gun_time: textOrNull('Gross time, `HH:MM:SS.mmm`.', null),
    splits: field(
      z.record(z.string(), z.string().nullable()),
      'Split times by split name, `HH:MM:SS.mmm`.',
      { 'Km 10': '00:41:50.000' },
    ),
    replaced_by: field(
      z.int().min(1).nullable(),
      'Line of the later row of the same bib, which counts. Null if this row counts.',
      null,
    ),
  })
  .meta({ id: 'PreviewRow', description: 'A row of the file as it is read.' });

const PreviewChange = z
  .object({
    row: field(z.int().min(0), 'Line of the file on which the row starts.', 2),
    bib_number: text('Bib number.', '17'),
    before: ResultContent,
    after: ResultContent,
  })
  .meta({ id: 'PreviewChange', description: 'What a row would make of a stored result.' });

const EXAMPLE: Partial<Record<ResultStatus, number>> = { FINISHED: 2, DNF: 1 };

const PreviewCounts = z
  .object({
    total_processed: count('Rows that are read.', 3),
    uploaded: count('Rows that would create a result.', 2),
    updated: count('Rows whose bib has a result already.', 1),
    not_found: count('Rows whose bib has no registration.', 0),
    errors: count('Rows with an error.', 0),
    duplicates: count('Rows replaced by a later row with the same bib.', 0),
    left: count('Rows that would be left to a person.', 0),
    new: count('The same as `uploaded`.', 2),
    changed: count(
      'Rows of `updated` with another status, time or split than the stored result.',
      0,
    ),
    unchanged: count('Rows of `updated` that are like the stored result.', 1),
    statuses: z
      .object(
        byStatus((status) => count(`Valid rows with the status ${status}.`, EXAMPLE[status] ?? 0)),
      )
      .meta({
        description: 'Valid rows by status, repeated bibs included.',
        examples: [byStatus((status) => EXAMPLE[status] ?? 0)],
      }),
  })
  .meta({
    id: 'PreviewCounts',
    description: 'The counts of the upload, and its changes.',
  });

/** The answer to a preview. */
export const ResultsFilePreview = z
  .object({
    encoding: text('Encoding of the file. `windows-1252` includes latin-1.', 'utf-8'),
    delimiter: text('The character between the cells.', ','),
    header_line: count('Line of the header. 0 if the file has no header.', 1),
    columns: z.array(PreviewColumn).meta({ description: 'The columns of the file, in order.' }),
    counts: PreviewCounts,
    rows: z.array(PreviewRow).meta({
      description:
        'The first rows, at most 10, and both rows of the first 5 bibs that stand twice.',
    }),
    changes: field(
      z.array(PreviewChange),
      'The first stored results that would change, at most 10.',
      [],
    ),
    left: field(
      z.array(LeftResult),
      `The first rows that the upload would leave to a person, at most ${LEFT_PREVIEWED}.`,
      [],
    ),
    failed: field(z.array(ResultFailure), 'The first rows that would fail, at most 10.', []),
    warnings: field(
      z.array(PreviewWarning),
      'Facts that a person should check: first about the suggestion, then about the sent parameters, then about the ' +
        'event.',
      [],
    ),
    suggestion: z
      .object({
        query: suggestedQuery,
        why: text('How the suggestion reads the file, for people.', '"Startnummer" is the bib.'),
      })
      .nullable()
      .meta({
        description:
          'The parameters for the upload, if nothing speaks against their results. Null if ' +
          'a person has to decide: `choices` of the warnings then has a query for each answer.',
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

/** The further fields of a left row in the panel's preview. */
export const leftNames = {
  ...names,
  reason: textOrNull(
    'Why, in the words of whoever decided. Null if none was given.',
    'Bib swapped',
  ),
};

/** The preview in the panel. */
export const OrganizationResultsFilePreview = ResultsFilePreview.extend({
  left: field(
    z.array(
      LeftResult.extend(leftNames).meta({
        id: 'OrganizationLeftResult',
        description: 'A row that would be left to a person, as the panel shows such a row.',
      }),
    ),
    ResultsFilePreview.shape.left.description ?? '',
    [],
  ),
}).meta({
  id: 'OrganizationResultsFilePreview',
  description: 'How a file would be read, as the panel shows it.',
});

export type OrganizationResultsFilePreview = z.infer<typeof OrganizationResultsFilePreview>;
