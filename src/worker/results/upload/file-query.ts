import * as z from 'zod/mini';
import { FileError } from '../../../timing-files/read/file-error.ts';
import {
  HEADER_LINE_MAX,
  PARAMETER_NAMES,
  type Parameters,
  parseParameters,
  REPEATS_MAX,
  VALUE_LENGTH_MAX,
} from '../../../timing-files/read/parameters.ts';
import { TIME_FORMATS } from '../../../timing-files/read/time-formats.ts';
import { invalid } from '../../errors.ts';
import { wholeNumber } from '../../http/pagination.ts';

const LINE_EXPECTED = `the number of a line up to ${HEADER_LINE_MAX}, or 0 for no header`;

/** Described here, and refused by `parseParameters`. */
const TEXT = { pattern: '^[^\\u0000]*$', maxLength: VALUE_LENGTH_MAX };

const value = () =>
  z.string({ error: 'expected one value' }).check(
    z.refine((text) => !text.includes('\0'), {
      error: 'expected a text without NUL characters',
    }),
  );

type Described = {
  description: string;
  examples: unknown[];
  pattern?: string;
  maxItems?: number;
  enum?: string[];
  /** Whether a value is accepted depends on the columns of the file that is sent with it. */
  'x-depends-on-file'?: true;
};

const one = (described: Described) =>
  z.optional(value()).register(z.globalRegistry, { ...TEXT, ...described });

/** A parameter that may be sent several times. */
const several = (described: Described) =>
  z
    .optional(
      z.pipe(
        z.transform((sent) => (typeof sent === 'string' ? [sent] : sent)),
        z.array(value().register(z.globalRegistry, TEXT)),
      ),
    )
    .register(z.globalRegistry, described);

const column = (description: string, example: string) =>
  one({ description, examples: [example], 'x-depends-on-file': true });

/**
 * How a results file is to be read. Only the shape is checked here: `parameters.ts` of the reader
 * decides what the values mean.
 */
export const ResultsFileQuery = z.object({
  bib: column(
    'The bib column: its name in the header, or its number, as in `#3`. An empty value means that no ' +
      'column has this meaning.',
    'bib',
  ),
  chip_time: column('The column of the chip time, by name or number.', 'time'),
  gun_time: column('The column of the gun time, by name or number.', 'gun_time'),
  status: column(
    'The column of the status, by name or number. It may be the column of a time too, if the file ' +
      'writes `DNF` in the place of the time.',
    'status',
  ),
  split: several({
    description:
      'A split column, by name or number. Repeat it for each split. If it is sent, only these columns ' +
      'are splits. `split=` alone means that the file has none.',
    examples: [['Km 10']],
    maxItems: REPEATS_MAX.split,
    'x-depends-on-file': true,
  }),
  header_line: z
    .optional(wholeNumber(LINE_EXPECTED, 0, HEADER_LINE_MAX))
    .register(z.globalRegistry, {
      description:
        'The line of the header. 0 means that the file has no header; columns then have numbers only. ' +
        'Without it, the header is the first line that is not blank.',
      examples: [1],
      'x-depends-on-file': true,
    }),
  time_format: one({
    description: 'How the file writes times. Every value is explained in the guide to CSV files.',
    examples: ['clock'],
    enum: Object.keys(TIME_FORMATS),
  }),
  status_word: several({
    description:
      'What a word of the file means: the word, a colon and a status. Repeat it for each word. The word ' +
      'is looked for in the status column and in the columns of the times. Case and accents make no ' +
      'difference.',
    examples: [['aufgegeben:DNF']],
    maxItems: REPEATS_MAX.status_word,
    'x-depends-on-file': true,
  }),
  where: several({
    description:
      'Which rows are read: a column, a colon and a value. Repeat it to accept another value of the ' +
      'column, or to ask for a value in a second column.',
    examples: [['status:DNF']],
    maxItems: REPEATS_MAX.where,
    'x-depends-on-file': true,
  }),
  encoding: one({
    description:
      'The encoding of the file, such as `windows-1250`, `windows-1251`, `shift_jis` or `gb18030`. Without it, the ' +
      'bytes decide between UTF-8, UTF-16 and latin-1.',
    examples: ['windows-1252'],
    'x-depends-on-file': true,
  }),
  sheet: one({
    description:
      'The sheet of a workbook, by name or, as `#2`, by number. Without it, the first sheet with a table is read.',
    examples: ['#1'],
    'x-depends-on-file': true,
  }),
});

export type ResultsFileQuery = z.input<typeof ResultsFileQuery>;

/** @throws ApiError VALIDATION_ERROR naming the parameter that cannot be understood */
export function parametersOf(query: z.output<typeof ResultsFileQuery>): Parameters {
  const pairs = PARAMETER_NAMES.flatMap((name) =>
    [query[name] ?? []].flat().map((sent) => [name, String(sent)] as const),
  );
  try {
    return parseParameters(pairs);
  } catch (error) {
    throw error instanceof FileError ? invalid(error.message) : error;
  }
}
