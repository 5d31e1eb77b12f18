import * as z from 'zod';
import { BIB_FORMATS } from '../../../timing-files/read/bib-formats.ts';
import { COLUMN_NAMES } from '../../../timing-files/read/columns.ts';
import { neverEnds } from '../../../timing-files/read/csv-reader.ts';
import {
  FILE_PARAMETERS,
  HEADER_LINE_MAX,
  TIME_FORMAT_NAMES,
  VALUE_LENGTH_MAX,
} from '../../../timing-files/read/parameters.ts';
import { SHEET_TEXT_MAX } from '../../../timing-files/read/sheet-rows.ts';
import { SENDER_MAX } from '../../db/sql.ts';
import { busyWithUploads } from '../../http/arrival.ts';
import { wrongContentType } from '../../http/body.ts';
import { type Cases, describeFields, type ProseOf } from '../../http/documentation.ts';
import {
  JSON_DEPTH_MAX,
  nestedTooDeep,
  rowTooLong,
  tooManyMembers,
  tooManyNames,
  tooManyValues,
} from '../../http/json-text.ts';
import { ONE_LINE } from '../../http/validation.ts';
import type { KeyProseOf } from '../pair-operations.ts';
import { LEAVE_RULES, ReasonQuery, SenderQuery, TimesQuery } from '../schemas.ts';
import { ResultsUploadOut } from './answer-schemas.ts';
import { FILE_MEDIA_TYPES } from './file-bytes.ts';
import { otherContent } from './idempotency.ts';
import { ResultsFilePreview } from './preview-answer-schemas.ts';
import type { filePairs, resultUploadRoutes } from './routes.ts';
import {
  CSV_BODY_MAX,
  JSON_BODY_MAX,
  ResultIn,
  ResultsUploadIn,
  ResultsUploadQuery,
  ROWS_PER_CSV_UPLOAD,
  ROWS_PER_JSON_UPLOAD,
} from './schemas.ts';

export const IDEMPOTENCY_ERRORS: Cases = {
  idempotencyKey: 'idempotency-key: expected 1 to 255 visible characters, not "finish 17".',
  otherContent: otherContent().message,
};

export const BUSY: Cases = { uploads: busyWithUploads().message };

const mib = (bytes: number): string => `${bytes / 1_024 / 1_024} MiB`;

/** The errors of an upload of JSON. @param list the name of the array */
export const jsonUploadErrors = (list: string): Cases => ({
  contentType: wrongContentType('text/plain', 'application/json').message,
  shape: `The body is no upload: ${list}: expected an array.`,
  rows: `The body is no upload: ${list}: expected at most ${ROWS_PER_JSON_UPLOAD} rows.`,
  depth: nestedTooDeep(JSON_DEPTH_MAX).message,
  members: tooManyMembers().message,
  values: tooManyValues().message,
  names: tooManyNames().message,
  rowLength: rowTooLong().message,
  ...IDEMPOTENCY_ERRORS,
});

/** The further sentence about the panel's previews. */
export const LEFT_NAMED =
  'The rows in `left` have the names of the runners and the reasons of decisions. These rows are personal data.';

const ROWS_FAIL_ALONE = `
A bad row does not fail the request. The answer lists the row in \`failed\` with a reason, and the remaining
rows load. All good rows are stored in one transaction.

Each bib has one result. An upload replaces the result of the bib. A row that equals the stored result is
counted and not written, so you may send a file again and again. Positions are computed at each read: nothing
has to be recalculated.

Send an \`Idempotency-Key\` to make a retry safe. \`revertResultBatch\` takes an upload back.`;

const columns = ({ bib, chipTime, gunTime, status } = COLUMN_NAMES): string => {
  const row = (meaning: string, names: readonly string[]) =>
    `| ${meaning} | ${names.map((name) => `\`${name}\``).join(', ')} |`;
  return [
    '| Column | Accepted names |',
    '|---|---|',
    row('bib', bib),
    row('chip time', chipTime),
    row('gun time', gunTime),
    row('status', status),
    '| split | any further name, which becomes the name of the split |',
  ].join('\n');
};

describeFields(SenderQuery(), {
  sender: {
    description:
      `Who sends, such as the name of a laptop: one line of at most ${SENDER_MAX} characters. The history of uploads ` +
      'shows it.',
    maxLength: SENDER_MAX,
    pattern: ONE_LINE,
    examples: ['Finish laptop'],
  },
  leave: {
    description:
      'Which rows the upload leaves to a person: `decided`, `impossible`, `others`, `many`. Repeat the parameter. ' +
      '`others` needs `sender`. The guide to live timing explains each value.',
    override: { type: 'array', items: { type: 'string', enum: [...LEAVE_RULES] } },
    examples: [['decided', 'impossible']],
  },
});

describeFields(TimesQuery(), {
  time_format: {
    description:
      '`time_of_day`: every time is a time of day, and counts from the start of its runner (`putEventStarts`). A row ' +
      'before the start, or without a start, fails.',
    examples: ['clock'],
  },
});

const TEXT = { maxLength: VALUE_LENGTH_MAX };

/** The columns of the file decide whether a value is accepted. */
const DEPENDS_ON_FILE = { 'x-depends-on-file': true };

const oneText = (meta: z.GlobalMeta) =>
  z
    .string()
    .optional()
    .meta({ ...TEXT, ...meta });

/** A repeatable parameter. */
const several = (meta: z.GlobalMeta) => z.array(z.string().meta(TEXT)).optional().meta(meta);

const column = (description: string, example: string) =>
  oneText({ description, examples: [example], ...DEPENDS_ON_FILE });

/** The parameters for reading a results file. `parameters.ts` of the reader decides the meaning of the values. */
export const ResultsFileQuery = z.object({
  bib: column(
    'The bib column: its name in the header, or its number, as in `#3`. An empty value means that no ' +
      'column has this meaning.',
    'bib',
  ),
  chip_time: column('The column of the chip time, by name or number.', 'time'),
  gun_time: column('The column of the gun time, by name or number.', 'gun_time'),
  status: column(
    'The column of the status, by name or number. The column of a time is allowed too, if the file ' +
      'writes `DNF` in the place of the time.',
    'status',
  ),
  split: several({
    description:
      'A split column, by name or number. Repeat the parameter for each split. With the parameter, only these ' +
      'columns are splits. `split=` alone means that the file has no splits.',
    examples: [['Km 10']],
    maxItems: FILE_PARAMETERS.split,
    ...DEPENDS_ON_FILE,
  }),
  header_line: z
    .int()
    .min(0)
    .max(HEADER_LINE_MAX)
    .optional()
    .meta({
      description:
        'The line of the header. 0 means that the file has no header; columns then have numbers only. ' +
        'Without the parameter, the header is the first line that is not blank.',
      examples: [1],
      ...DEPENDS_ON_FILE,
    }),
  bib_format: oneText({
    description:
      'How the file writes bibs, if the event writes bibs differently. The guide to CSV files explains every value.',
    examples: ['exact'],
    enum: Object.keys(BIB_FORMATS),
  }),
  time_format: oneText({
    description:
      'How the file writes times. The guide to CSV files explains every value. `time_of_day` means that all times ' +
      'are times of day, which count from the start of each runner.',
    examples: ['clock'],
    enum: TIME_FORMAT_NAMES,
  }),
  time_of_day: several({
    description:
      'A column whose cells are times of day, by name or number, beside columns of durations. Repeat the ' +
      'parameter for each column.',
    examples: [['gun_time']],
    maxItems: FILE_PARAMETERS.time_of_day,
    ...DEPENDS_ON_FILE,
  }),
  started: column(
    'The column with the start of each runner, by name or number. The chip time is then the moment of the ' +
      'finish, as a time of day or with its date, and counts from this start.',
    'Start',
  ),
  fastest: oneText({
    description:
      'The fastest time, if the file leaves out whole days. A smaller time is a day longer: with `20:10:12`, a ' +
      'time of `03:15:00` is 27:15:00.',
    examples: ['20:10:12'],
  }),
  status_word: several({
    description:
      'The meaning of a word of the file: the word, a colon and a status. Repeat the parameter for each word. ' +
      'With nothing behind the colon, as in `N/A:`, cells with the word count as empty, and a row without a time ' +
      'or status is left out. With nothing before the colon, as in `:DNF`, the word is a blank cell of the ' +
      'status column. The API looks for the word in the status column and in the columns of the times. Case and ' +
      'accents make no difference.',
    examples: [['aufgegeben:DNF']],
    maxItems: FILE_PARAMETERS.status_word,
    ...DEPENDS_ON_FILE,
  }),
  where: several({
    description:
      'The rows to read: a column, a colon and a value. Repeat the parameter to accept a further value of the ' +
      'column, or to ask for a value in a second column.',
    examples: [['status:DNF']],
    maxItems: FILE_PARAMETERS.where,
    ...DEPENDS_ON_FILE,
  }),
  where_not: several({
    description:
      'The rows to leave out: a column, a colon and a value, such as rows of sums. Nothing behind the colon stands ' +
      'for an empty cell. Repeat the parameter for each value.',
    examples: [['Name:Average']],
    maxItems: FILE_PARAMETERS.where_not,
    ...DEPENDS_ON_FILE,
  }),
  ignore: several({
    description:
      'A column that is not read, by name or number: remarks, or times that are no splits. Its words are no ' +
      'statuses. Repeat it for each column.',
    examples: [['Remarks']],
    maxItems: FILE_PARAMETERS.ignore,
    ...DEPENDS_ON_FILE,
  }),
  encoding: oneText({
    description:
      'The encoding of the file, such as `windows-1250`, `windows-1251`, `shift_jis` or `gb18030`. Without it, the ' +
      'bytes decide between UTF-8, UTF-16 and latin-1.',
    examples: ['windows-1252'],
    ...DEPENDS_ON_FILE,
  }),
  sheet: oneText({
    description:
      'The sheet of a workbook, by name or, as `#2`, by number. Without it, the first sheet with a table is read.',
    examples: ['#1'],
    ...DEPENDS_ON_FILE,
  }),
});

const UPLOADED_FILE_QUERY = z.object({
  ...ReasonQuery().shape,
  ...SenderQuery().shape,
  ...ResultsFileQuery.shape,
});

const PREVIEWED_FILE_QUERY = z.object({ ...SenderQuery().shape, ...ResultsFileQuery.shape });

const FILE_EXAMPLE =
  'bib,time,gun_time,status,Km 10\n17,01:28:03.512,01:28:40,,41:50\n18,01:31:00,,,\n19,,,DNF,44:10\n';

/** Errors of every operation with a results file. */
export const FILE_ERRORS: Cases = {
  contentType: wrongContentType('text/plain', ...FILE_MEDIA_TYPES).message,
  field: 'The form has 0 fields "file"; one is expected.',
  column:
    'The file has no column "Startnummer" (parameter bib). Its columns: #1 bib, #2 time, #3 gun_time, ' +
    '#4 status, #5 Km 10.',
  format: `time_format is "dashes": expected one of ${TIME_FORMAT_NAMES.join(', ')}.`,
  rows: `The file has more than ${ROWS_PER_CSV_UPLOAD} rows; upload it in parts.`,
  row: neverEnds(2).message,
};

ResultIn().register(z.globalRegistry, {
  id: 'ResultIn',
  description:
    'The result of one bib. A FINISHED row needs a chip time or a gun time. Rows with another ' +
    'status are stored without chip time and gun time.',
});

describeFields(ResultIn(), {
  bib_number: {
    description: 'Bib number of a registration. An integer counts as its digits.',
    examples: ['17'],
  },
  chip_time: { description: 'Net time, from start line to finish.', examples: ['01:28:03.512'] },
  gun_time: { description: 'Gross time, from gun to finish.', examples: ['01:28:40'] },
  time: {
    description: 'Alias of `chip_time`. If both are sent, `chip_time` is used.',
    examples: ['01:28:03.512'],
  },
  status: {
    description: 'Outcome of the race, in any case.',
    default: 'FINISHED',
    examples: ['FINISHED'],
  },
  splits: {
    description: 'Split times by split name. An invalid time is ignored.',
    examples: [{ 'Km 10': '41:50' }],
  },
});

ResultsUploadIn().register(z.globalRegistry, {
  id: 'ResultsUploadIn',
  description: 'Results, one row per bib.',
});

describeFields(ResultsUploadQuery(), {
  by_hand: {
    pattern: '^ *(true|false) *$',
    description:
      '`true` says that a person decided these results. Programs that follow a file ask before they replace such ' +
      'a result.',
    examples: ['true'],
  },
});

describeFields(ResultsUploadIn(), {
  results: {
    description:
      'The rows. `failed` lists each row that is not a valid ResultIn, and the remaining rows load.',
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
  },
});

export const uploadProse: ProseOf<typeof resultUploadRoutes> & KeyProseOf<typeof filePairs> = {
  uploadEventResults: {
    tag: 'Uploads',
    summary: 'Upload results as JSON',
    description: `
Loads up to ${ROWS_PER_JSON_UPLOAD} results by bib. The body has at most ${mib(JSON_BODY_MAX)}. For a live
feed, send the arrivals of 2 to 5 seconds in one request.
${ROWS_FAIL_ALONE}`.trim(),
    answer: { status: 200, description: 'The outcome of each row.', schema: ResultsUploadOut },
    errors: {
      400: jsonUploadErrors('results'),
      503: BUSY,
    },
  },
  uploadEventResultsFile: {
    tag: 'Uploads',
    summary: 'Upload results as a file',
    description: `
Loads the results of a CSV file or a workbook (.xlsx) with one row per bib. The file has up to
${ROWS_PER_CSV_UPLOAD} rows of at most 65 536 characters. The body has at most ${mib(CSV_BODY_MAX)}.
${ROWS_FAIL_ALONE}

A CSV file is UTF-8 with or without a byte order mark, UTF-16 with a byte order mark, or latin-1; \`encoding\`
names another. Commas, semicolons, tabs or vertical bars separate the cells. A cell may be quoted. A line ends
with LF, CRLF or CR. The API skips blank lines.

Of a workbook, the API reads the first sheet with a table, or the one that \`sheet\` names. Times and dates are
read by their number format, texts as they stand. Formulas are not evaluated: a cell has the value that was
saved. The sheet has at most ${mib(SHEET_TEXT_MAX)} of text.

The first line is the header. It names the columns in any order. Case, accents, spaces and hyphens make no
difference:

${columns()}

A bib column is required, plus a time or status column. A time is \`H:MM:SS\` or \`MM:SS\`. It may have a
fraction of up to three digits after \`.\` or \`,\`. Hours have up to three digits, and minutes without hours
have one or two. An empty status means \`FINISHED\`. If two columns have the same meaning, the API takes the
first one that has a valid time. The API ignores a split that is not a valid time.

For a file with other names or other forms of times, the query parameters say how to read it. Use
\`previewEventResultsFile\` to find them. Without parameters, the file is read exactly as described above.

Times of day, such as \`10:31:10\`, are read with \`time_format=time_of_day\`, or with \`time_of_day=COLUMN\` beside
columns of durations. They count from the start of each runner (\`putEventStarts\`), and a time of day at the finish is
a gun time. A row before its start, or without one, fails.

If two columns of one name are a bib, a time or a status and their cells differ, the file is refused. Splits of
one name get a number: \`Lap\`, \`Lap (2)\`. A file with a header and no row is an upload of no rows.

Send the file as the field \`file\` of a form, or as the whole body with the type \`text/csv\` or that of a
workbook. The \`warnings\` of the answer say what a person should look at.`.trim(),
    query: () => UPLOADED_FILE_QUERY,
    fileExample: FILE_EXAMPLE,
    answer: { status: 200, description: 'The outcome of each row.', schema: ResultsUploadOut },
    errors: {
      400: {
        ...FILE_ERRORS,
        ...IDEMPOTENCY_ERRORS,
        header:
          `The header has no bib column (${COLUMN_NAMES.bib.join(', ')}). Found: name, time. No column is ` +
          'named like a bib, and no other column may have bibs. If a column has them, name it, as in bib=#2. ' +
          'To see how a file would be read, post it to …/results/file/preview.',
      },
      503: BUSY,
    },
  },
  previewEventResultsFile: {
    tag: 'Uploads',
    summary: 'Preview a results file',
    description: `
Shows how an upload of this body with these parameters would read the file. The preview writes nothing.

\`suggestion.query\` has the parameters for the file: put this query unchanged behind \`?\` of
\`uploadEventResultsFile\`. The suggestion keeps the parameters that you send. If \`suggestion\` is null, a person has
to decide: the \`choices\` of the warnings have a query for each answer.

Read the warnings before you upload. The warnings come from the file alone and from the event: unknown bibs,
times too fast for the distance, results that would change. The limits of an upload apply.`.trim(),
    query: () => PREVIEWED_FILE_QUERY,
    fileExample: FILE_EXAMPLE,
    answer: { status: 200, description: 'How the file would be read.', schema: ResultsFilePreview },
    errors: { 400: FILE_ERRORS, 503: BUSY },
  },
};
