import { FileError } from './file-error.ts';
import { parseStatus, RESULT_STATUSES, type ResultStatus } from './result-status.ts';
import { isTimeFormat, TIME_FORMATS, type TimeFormat } from './time-formats.ts';
import { plainWords } from './words.ts';

/** The meanings that one column each can be given. */
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
] as const;
export type ParameterName = (typeof PARAMETER_NAMES)[number];

/** How a file is to be read, where its columns' names do not say so. Columns are as they were sent. */
export type Parameters = {
  /** By header or `#number`; blank means that no column has the meaning. */
  columns: Partial<Record<Meaning, string>>;
  /** All splits; without it, every column that means nothing else is one. */
  splits?: readonly string[];
  /** Line of the header, 0 where the file has none; without it, the first line that is not blank. */
  headerLine?: number;
  timeFormat: TimeFormat;
  /** By `wordKey`. */
  statusWords: ReadonlyMap<string, ResultStatus>;
  /** `column:value`: a row is read if each column named here has one of the values given for it. */
  where: readonly string[];
};

/** No parameter: the file is read as the contract says. */
export const PLAIN: Parameters = {
  columns: {},
  timeFormat: 'clock',
  statusWords: new Map(),
  where: [],
};

export const HEADER_LINE_MAX = 1_000;
const LIST_LENGTH_MAX = 1_000;

/** Status words are compared without case, accents and signs, unless they are signs alone. */
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
        `There is no parameter ${JSON.stringify(name.slice(0, 40))}: expected ${PARAMETER_NAMES.join(', ')}.`,
      );
    }
    sent.set(known, [...(sent.get(known) ?? []), value]);
  }
  const columns: Parameters['columns'] = {};
  for (const meaning of MEANINGS) {
    const column = single(sent, PARAMETER_OF[meaning]);
    if (column !== undefined) columns[meaning] = column;
  }
  const splits = filled(several(sent, 'split'));
  const headerLine = parseHeaderLine(single(sent, 'header_line'));
  return {
    columns,
    ...(sent.has('split') ? { splits } : {}),
    ...(headerLine === undefined ? {} : { headerLine }),
    timeFormat: parseTimeFormat(single(sent, 'time_format')),
    statusWords: parseStatusWords(several(sent, 'status_word')),
    where: filled(several(sent, 'where')),
  };
}

/** The parameters as a query that `parseParameters` reads back; empty where there are none. */
export function writeQuery(parameters: Parameters): string {
  const { columns, splits, headerLine, timeFormat, statusWords, where } = parameters;
  const pairs: [ParameterName, string][] = [];
  for (const meaning of MEANINGS) {
    const column = columns[meaning];
    if (column !== undefined) pairs.push([PARAMETER_OF[meaning], column]);
  }
  if (splits?.length === 0) pairs.push(['split', '']);
  for (const split of splits ?? []) pairs.push(['split', split]);
  if (headerLine !== undefined) pairs.push(['header_line', String(headerLine)]);
  if (timeFormat !== 'clock') pairs.push(['time_format', timeFormat]);
  for (const [word, status] of statusWords) pairs.push(['status_word', `${word}:${status}`]);
  for (const condition of where) pairs.push(['where', condition]);
  return pairs
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%3A', ':')}`)
    .join('&');
}

const several = (sent: ReadonlyMap<ParameterName, string[]>, name: ParameterName): string[] => {
  const values = sent.get(name) ?? [];
  if (values.length <= LIST_LENGTH_MAX) return values;
  throw new FileError(
    `${name} stands ${values.length} times: at most ${LIST_LENGTH_MAX} are read.`,
  );
};

/** A blank value is one that was not sent. */
const filled = (values: readonly string[]): string[] =>
  values.filter((value) => value.trim() !== '');

function single(
  sent: ReadonlyMap<ParameterName, string[]>,
  name: ParameterName,
): string | undefined {
  const [value, ...more] = sent.get(name) ?? [];
  if (more.length > 0) throw new FileError(`${name} stands more than once: send it once.`);
  return value;
}

function parseHeaderLine(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const line = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (line <= HEADER_LINE_MAX) return line;
  throw new FileError(
    `header_line is ${JSON.stringify(text.slice(0, 40))}: expected the number of a line up to ` +
      `${HEADER_LINE_MAX}, or 0 where the file has no header.`,
  );
}

function parseTimeFormat(name = 'clock'): TimeFormat {
  const wanted = name.trim().toLowerCase();
  if (isTimeFormat(wanted)) return wanted;
  throw new FileError(
    `time_format is ${JSON.stringify(name.slice(0, 40))}: expected one of ${Object.keys(TIME_FORMATS).join(', ')}.`,
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
        `status_word is ${JSON.stringify(pair.slice(0, 60))}: expected a word of the file, a colon ` +
          `and one of ${RESULT_STATUSES.join(', ')}, as in Abandon:DNF.`,
      );
    }
    if ((words.get(word) ?? status) !== status) {
      throw new FileError(
        `status_word gives ${JSON.stringify(word)} two meanings: ${words.get(word)} and ${status}.`,
      );
    }
    words.set(word, status);
  }
  return words;
}
