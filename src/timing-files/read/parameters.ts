import { type Encoding, encodingNamed } from './encoding.ts';
import { FileError } from './file-error.ts';
import { Pattern } from './pattern.ts';
import { SPLIT_NAMES_MAX } from './result.ts';
import { parseStatus, RESULT_STATUSES, type ResultStatus } from './result-status.ts';
import { quoted } from './text.ts';
import { isTimeFormat, TIME_FORMATS, type TimeFormat } from './time-formats.ts';
import { plainWords } from './words.ts';

/** The meanings of columns. A parameter can name one column for each. */
export const MEANINGS = ['bib', 'chipTime', 'gunTime', 'status'] as const;
export type Meaning = (typeof MEANINGS)[number];

/** The parameter that names the column of a meaning. */
export const PARAMETER_OF = {
  bib: 'bib',
  chipTime: 'chip_time',
  gunTime: 'gun_time',
  status: 'status',
} as const satisfies Record<Meaning, string>;

export const PARAMETER_NAMES = [
  ...Object.values(PARAMETER_OF),
  'split',
  'header_line',
  'time_format',
  'status_word',
  'where',
  'encoding',
  'sheet',
] as const;
type ParameterName = (typeof PARAMETER_NAMES)[number];

/** How to read a file if its header does not say so. Columns are named as they were sent. */
export type Parameters = {
  /** By header or `#number`. Blank means that no column has the meaning. */
  columns: Partial<Record<Meaning, string>>;
  /** All splits. Without it, every column without another meaning is a split. */
  splits?: readonly string[];
  /** Line of the header, 0 if the file has none. Without it, the first line that is not blank. */
  headerLine?: number;
  timeFormat: TimeFormat;
  /** By `wordKey`. */
  statusWords: ReadonlyMap<string, ResultStatus>;
  /** `column:value`. A row is read if each column named here has one of the values given for it. */
  where: readonly string[];
  /** Without it, the bytes decide between UTF-8, UTF-16 and latin-1. */
  encoding?: Encoding;
  /** The sheet of a workbook, by name or `#number`. By default it is the first one with a table. */
  sheet?: string;
};

/** Without parameters, a file is read as the contract says. */
export const PLAIN: Parameters = {
  columns: {},
  timeFormat: 'clock',
  statusWords: new Map(),
  where: [],
};

export const HEADER_LINE_MAX = 1_000;

/**
 * How often a parameter may stand in a query. A longer list would make each row of a file cost more than other
 * uploads can wait for.
 */
export const REPEATS_MAX = { split: SPLIT_NAMES_MAX, status_word: 200, where: 100 } as const;

/** The length of a value: a column name of 100 characters, a colon, and a cell or a status. */
export const VALUE_LENGTH_MAX = 250;

/** Status words are compared without case, accents and signs, unless they have signs alone. */
export const wordKey = (word: string): string => plainWords(word) || word.trim();

/**
 * Reads the query parameters of an upload.
 * @throws FileError naming the parameter that cannot be understood
 */
export function parseParameters(query: Iterable<readonly [string, string]>): Parameters {
  const sent = new Map<ParameterName, string[]>();
  for (const [name, value] of query) {
    const known = PARAMETER_NAMES.find((other) => other === name);
    if (!known) {
      throw new FileError(
        `There is no parameter ${quoted(name)}: expected ${PARAMETER_NAMES.join(', ')}.`,
      );
    }
    if (value.length > VALUE_LENGTH_MAX) {
      throw new FileError(
        `${known} has ${value.length} characters: at most ${VALUE_LENGTH_MAX} are accepted.`,
      );
    }
    const values = sent.get(known);
    if (values) values.push(value);
    else sent.set(known, [value]);
  }
  const columns: Parameters['columns'] = {};
  for (const meaning of MEANINGS) {
    const column = single(sent, PARAMETER_OF[meaning]);
    if (column !== undefined) columns[meaning] = column;
  }
  const splits = filled(several(sent, 'split'));
  const headerLine = parseHeaderLine(single(sent, 'header_line'));
  const encoding = parseEncoding(single(sent, 'encoding'));
  const sheet = single(sent, 'sheet');
  return {
    columns,
    ...(sent.has('split') ? { splits } : {}),
    ...(headerLine === undefined ? {} : { headerLine }),
    timeFormat: parseTimeFormat(single(sent, 'time_format')),
    statusWords: parseStatusWords(several(sent, 'status_word')),
    where: filled(several(sent, 'where')),
    ...(encoding === undefined ? {} : { encoding }),
    ...(sheet === undefined ? {} : { sheet }),
  };
}

/** The parameters as a query that `parseParameters` reads back. Blank without parameters. */
export function writeQuery(parameters: Parameters): string {
  const { columns, splits, headerLine, timeFormat, statusWords, where } = parameters;
  const { encoding, sheet } = parameters;
  const pairs: (readonly [ParameterName, string | undefined])[] = [
    ...MEANINGS.map((meaning) => [PARAMETER_OF[meaning], columns[meaning]] as const),
    ...(splits?.length === 0 ? [''] : (splits ?? [])).map((split) => ['split', split] as const),
    ['header_line', headerLine?.toString()],
    ['time_format', timeFormat === 'clock' ? undefined : timeFormat],
    ...Array.from(statusWords, (pair) => ['status_word', pair.join(':')] as const),
    ...where.map((condition) => ['where', condition] as const),
    ['encoding', encoding],
    ['sheet', sheet],
  ];
  const written = (value: string) => encodeURIComponent(value).replaceAll('%3A', ':');
  return pairs
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${written(value)}`]))
    .join('&');
}

function several(
  sent: ReadonlyMap<ParameterName, string[]>,
  name: keyof typeof REPEATS_MAX,
): string[] {
  const values = sent.get(name) ?? [];
  if (values.length <= REPEATS_MAX[name]) return values;
  throw new FileError(
    `${name} is sent ${values.length} times: at most ${REPEATS_MAX[name]} are accepted.`,
  );
}

/** A blank value counts as not sent. */
const filled = (values: readonly string[]): string[] =>
  values.filter((value) => value.trim() !== '');

function single(
  sent: ReadonlyMap<ParameterName, string[]>,
  name: ParameterName,
): string | undefined {
  const [value, ...more] = sent.get(name) ?? [];
  if (more.length > 0) throw new FileError(`${name} is sent more than once: send it once.`);
  return value;
}

const LINE_NUMBER = new Pattern(/^\d{1,4}$/);

function parseHeaderLine(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const line = LINE_NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  if (line <= HEADER_LINE_MAX) return line;
  throw new FileError(
    `header_line is ${quoted(text)}: expected the number of a line up to ${HEADER_LINE_MAX}, ` +
      'or 0 for a file without a header.',
  );
}

function parseEncoding(label: string | undefined): Encoding | undefined {
  if (label === undefined) return undefined;
  const encoding = encodingNamed(label);
  if (encoding !== undefined) return encoding;
  throw new FileError(
    `encoding is ${quoted(label)}: expected a name such as utf-8, windows-1250, windows-1251, shift_jis or ` +
      'gb18030.',
  );
}

function parseTimeFormat(name = 'clock'): TimeFormat {
  const wanted = name.trim().toLowerCase();
  if (isTimeFormat(wanted)) return wanted;
  throw new FileError(
    `time_format is ${quoted(name)}: expected one of ${Object.keys(TIME_FORMATS).join(', ')}.`,
  );
}

function parseStatusWords(pairs: readonly string[]): Map<string, ResultStatus> {
  const words = new Map<string, ResultStatus>();
  for (const pair of filled(pairs)) {
    const colon = pair.lastIndexOf(':');
    const word = wordKey(pair.slice(0, Math.max(colon, 0)));
    const status = colon < 0 ? undefined : parseStatus(pair.slice(colon + 1));
    if (word === '' || status === undefined) {
      throw new FileError(
        `status_word is ${quoted(pair)}: expected a word of the file, a colon ` +
          `and one of ${RESULT_STATUSES.join(', ')}, as in Abandon:DNF.`,
      );
    }
    if ((words.get(word) ?? status) !== status) {
      throw new FileError(
        `status_word gives ${quoted(word)} two meanings: ${words.get(word)} and ${status}.`,
      );
    }
    words.set(word, status);
  }
  return words;
}
