import * as z from 'zod';
import { WARNING_CODES } from '../../../timing-files/judge/warning-codes.ts';
import { REASON_CODES } from '../../../timing-files/read/reason-codes.ts';
import { count, field, id, instantOrNull, text, textOrNull } from '../../http/answer-schemas.ts';
import { LEFT_REASONS } from '../left-reasons.ts';
import { resultStatus } from '../read/answer-schemas.ts';

/** A row without success. */
export const ResultFailure = z
  .object({
    row: field(
      z.int().min(1),
      'JSON upload: position of the row in the array, from 1. CSV upload: line of the file on ' +
        'which the row starts, where the header is line 1.',
      2,
    ),
    bib_number: textOrNull('Bib of the row. Null if the row has no bib.', '18'),
    reason: text(
      'Why the row failed, for people.',
      'No registration of this event has the bib number "18".',
    ),
    reason_code: field(
      z.enum(REASON_CODES),
      'Why the row failed, for programs. New codes may be added. A code never changes its meaning.',
      'unknown_bib',
    ),
    item: field(
      z.record(z.string(), z.unknown()).optional(),
      'The row as it was sent, or as its cells were read. Absent if a JSON row is not an object. In an answer with ' +
        'more than 500 000 cells of failed rows, the last rows lack their items.',
      { bib_number: '18', chip_time: '01:31:00' },
    ),
  })
  .meta({ id: 'ResultFailure', description: 'A row that failed.' });

export type ResultFailure = z.infer<typeof ResultFailure>;

/** A query for use behind `?`. */
export const suggestedQuery = text(
  'Query parameters for the upload, ready to be put behind `?`. Empty if no parameter is needed.',
  'bib=Startnummer&chip_time=Netto',
);

export const PreviewWarning = z
  .object({
    code: field(
      z.enum(WARNING_CODES),
      'The kind of the warning, for programs. New codes may be added. A code never changes its ' +
        'meaning.',
      'whole_minutes',
    ),
    detail: text(
      'The warning, for people.',
      'Every time is a whole number of minutes: check that its parts are hours and minutes.',
    ),
    values: field(
      z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
      'The values in `detail`, for a sentence in another language: counts, and names and cells of the file. `case` ' +
        'tells the sentences of a code apart. `why` is an English text.',
      { count: 2, column: 'Time' },
    ),
    rows: field(
      z.array(z.int()),
      'The first lines of the file with this warning. Empty if the warning is about the whole file.',
      [2],
    ),
    choices: field(
      z
        .array(
          z.object({
            query: suggestedQuery,
            why: text('The meaning of the choice, for people.', '1:28 is 1 h 28 min'),
          }),
        )
        .optional(),
      'The answers between which a person has to decide.',
      [{ query: 'time_format=hours_minutes', why: '1:28 is 1 h 28 min' }],
    ),
  })
  .meta({ id: 'PreviewWarning', description: 'A fact that a person should check.' });

export const uploadCounts = (of: 'result' | 'passing') => ({
  total_processed: count('Rows processed.', 3),
  uploaded: count(`Rows that created a ${of}.`, 1),
  updated: count(`Rows that found a ${of}, \`unchanged\` included.`, 1),
  unchanged: count(`Rows among \`updated\` that equal the stored ${of}, and were not written.`, 0),
  not_found: count('Rows whose bib has no registration.', 1),
  errors: count('Rows with an error.', 0),
  duplicates: count(
    `Rows replaced by a later row for this ${of}. \`failed\` does not list these rows.`,
    0,
  ),
});

export const senderOrNull = textOrNull(
  'The name of the sender from the parameter `sender`, such as the name of a laptop. Null without this parameter.',
  'Finish laptop',
);

export const leftCount = count('Rows that the upload left to a person, because of `leave`.', 0);

/** A row left for a person to decide. @param stored the schema of the stored content */
export const leftRow = <S extends z.ZodType>(stored: S) =>
  z.object({
    row: field(z.int().min(1), 'The row of the upload, as in `failed`.', 2),
    bib_number: text('Bib of the row.', '17'),
    reason_code: field(
      z.enum(LEFT_REASONS),
      'Why the row was left, for programs. The guide to live timing explains each code. New codes may be added. ' +
        'A code never changes its meaning.',
      'decided_by_person',
    ),
    stored,
    sender: textOrNull(
      'The sender who stored the content, or took the content away: the name of the sender, else of the key, ' +
        'else the id of the user. Null if nothing is stored, or if the upload is no longer kept.',
      'Finish laptop',
    ),
    at: instantOrNull('The time of this upload.', '2027-05-09T14:01:22.480Z'),
  });

export const LeftResult = leftRow(
  field(
    z
      .object({
        status: resultStatus,
        chip_time: textOrNull('Net time as `HH:MM:SS.mmm`.', '01:28:03.512'),
        gun_time: textOrNull('Gross time as `HH:MM:SS.mmm`.', null),
      })
      .nullable(),
    'The stored result. Null without a result.',
    { status: 'DNF', chip_time: null, gun_time: null },
  ),
).meta({ id: 'LeftResult', description: 'A row left to a person.' });

export type LeftResult = z.infer<typeof LeftResult>;

export const LEFT =
  'The rows left to a person because of `leave`, in row order. These rows are neither stored nor in `failed`. To ' +
  'store these rows anyway, send the rows without `leave`.';

export const failedRows = z.array(ResultFailure).meta({
  description:
    'The rows counted in `not_found` and `errors`, in row order. Correct these rows and send only these rows ' +
    'again. Empty if all rows loaded.',
});

/** The answer of uploadEventResults and uploadEventResultsFile. */
export const ResultsUploadOut = z
  .object({
    batch_id: id('Id of this upload.', 'b0000000-0000-4000-8000-000000000001'),
    ...uploadCounts('result'),
    splits_detected: field(
      z.array(z.string()),
      'Split names in the loaded rows, in order of appearance.',
      ['Km 10'],
    ),
    warnings: field(
      z.array(PreviewWarning).optional(),
      'Facts that a person should check: unlikely times and, of a file, unread columns. The warnings are the ' +
        'warnings of a preview. Of the comparisons with the event, the answer has only `implausible_for_distance`, ' +
        '`splits_removed`, `gun_times_removed`, `second_finish`, `dns_with_passing`, `old_gun` and `wrong_clock`. ' +
        'The answer to a file always has the list, and the answer to JSON only with a warning.',
      [],
    ),
    left: field(z.array(LeftResult), LEFT, []),
    failed: failedRows,
  })
  .meta({
    id: 'ResultsUploadOut',
    description:
      'The outcome of an upload. `uploaded`, `updated`, `not_found`, `errors`, `duplicates` and the number of ' +
      'rows in `left` add up to `total_processed`.',
  });

export type ResultsUploadOut = z.infer<typeof ResultsUploadOut>;
