import { BIB_FORMATS, type BibFormat, isBibFormat } from './bib-formats.ts';
import { type Encoding, encodingNamed } from './encoding.ts';
import { FileError } from './file-error.ts';
import { Pattern } from './pattern.ts';
import { publicName } from './public-name.ts';
import type { RaceClock } from './race-clock.ts';
import { formatRaceTime, parseRaceTime } from './race-time.ts';
import { SPLIT_NAMES_MAX } from './result.ts';
import { parseStatus, RESULT_STATUSES, type ResultStatus } from './result-status.ts';
import { quoted, startsWithDigit } from './text.ts';
import { isTimeFormat, TIME_FORMATS, type TimeFormat } from './time-formats.ts';
import { plainWords } from './words.ts';

/** The meanings of columns. A parameter can name a column for each meaning. */
export const MEANINGS = ['bib', 'chipTime', 'gunTime', 'status'] as const;
export type Meaning = (typeof MEANINGS)[number];

/** The parameter for the column of a meaning. */
export const PARAMETER_OF = {
  bib: 'bib',
  chipTime: 'chip_time',
  gunTime: 'gun_time',
  status: 'status',
} as const satisfies Record<Meaning, string>;

/**
 * How often a parameter may stand in a query. A longer list would make each row of a file cost more time than
 * concurrent uploads can wait.
 */
export const FILE_PARAMETERS = {
  bib: 1,
  chip_time: 1,
  gun_time: 1,
  status: 1,
  split: SPLIT_NAMES_MAX,
  header_line: 1,
  bib_format: 1,
  time_format: 1,
  time_of_day: SPLIT_NAMES_MAX,
  started: 1,
  fastest: 1,
  status_word: 200,
  where: 100,
  where_not: 100,
  ignore: 100,
  encoding: 1,
  sheet: 1,
  point: 1,
} as const satisfies Record<string, number>;

type ParameterName = keyof typeof FILE_PARAMETERS;
export const PARAMETER_NAMES = Object.keys(FILE_PARAMETERS);

const isParameter = (name: string): name is ParameterName => Object.hasOwn(FILE_PARAMETERS, name);

/** Of passings, only bibs and times are read. */
export const OF_RESULTS_ALONE: ReadonlySet<string> = new Set<ParameterName>([
  'status',
  'split',
  'status_word',
  'started',
  'fastest',
]);

export const RESULT_PARAMETERS = PARAMETER_NAMES.filter((name) => name !== 'point');

/** The parameters of a file of passings beside `point`. */
export const PASSING_PARAMETERS = RESULT_PARAMETERS.filter((name) => !OF_RESULTS_ALONE.has(name));

/**
 * The meaning of a word by `status_word`. The word is blank for a blank cell in the column of the status. A blank
 * meaning: the cell counts as empty, and a row without another result is left out.
 */
export type StatusWord = ResultStatus | '';

/** How to read a file with an unclear header. Columns have their sent names. */
export type Parameters = {
  /** The point of the course at which the times were taken. Without a point, the times are results. */
  point?: string;
  /** By header or `#number`. Blank means that no column has the meaning. */
  columns: Partial<Record<Meaning, string>>;
  /** All splits. By default, every column without another meaning is a split. */
  splits?: readonly string[];
  /** Line of the header, 0 for a file without a header. By default, the first line with text. */
  headerLine?: number;
  bibFormat: BibFormat;
  timeFormat: TimeFormat;
  /** Columns whose cells are times of day, or all of them. The other columns have times of `timeFormat`. */
  timesOfDay?: readonly string[] | 'all';
  /** The column of each runner's start. The chip time is the moment of the finish, and counts from this start. */
  started?: string;
  /** The fastest time, in milliseconds. A smaller time has lost its day. */
  fastestMs?: number;
  /** Counts the times of day from the gun. The reader of a file knows the starts of its event. */
  clock?: RaceClock;
  /** By `wordKey`. */
  statusWords: ReadonlyMap<string, StatusWord>;
  /** `column:value`. A row is read if each column named here has one of its given values. */
  where: readonly string[];
  /** `column:value`. A row is left out if a column named here has one of its given values. */
  whereNot: readonly string[];
  /** Columns to skip, whatever their names: remarks, codes, results of another race. */
  ignore: readonly string[];
  /** By default, the bytes decide between UTF-8, UTF-16 and latin-1. */
  encoding?: Encoding;
  /** The sheet of a workbook, by name or `#number`. By default the first sheet with a table. */
  sheet?: string;
};

/** Without parameters, a file is read as the contract says. */
export const PLAIN: Parameters = {
  columns: {},
  bibFormat: 'exact',
  timeFormat: 'clock',
  statusWords: new Map(),
  where: [],
  whereNot: [],
  ignore: [],
};

export const HEADER_LINE_MAX = 1_000;

/** The length of a value: a column name of 100 characters, a colon, and a cell or a status. */
export const VALUE_LENGTH_MAX = 250;

/** The key of a status word: the word without case, accents and signs. A word of signs or a time stays unchanged. */
export const wordKey = (word: string): string => {
  const text = word.trim();
  return startsWithDigit(text) && text.includes(':') ? text : plainWords(text) || text;
};

/**
 * Reads the query parameters of an upload.
 * @throws FileError with the name of the unintelligible parameter
 */
export function parseParameters(query: Iterable<readonly [string, string]>): Parameters {
  const sent = readQuery(query);
  const valuesOf = (name: ParameterName) => sent.get(name) ?? [];
  /** A blank value counts as not sent. */
  const filledOf = (name: ParameterName) => valuesOf(name).filter((value) => value.trim() !== '');
  const [headerLine] = valuesOf('header_line').map(parseHeaderLine);
  const [encoding] = valuesOf('encoding').map(parseEncoding);
  const [bibFormat = 'exact'] = valuesOf('bib_format').map(parseBibFormat);
  const [wanted = 'clock'] = valuesOf('time_format').map(parseTimeFormat);
  const named = filledOf('time_of_day');
  const timeFormat = wanted === TIME_OF_DAY ? 'clock' : wanted;
  const timesOfDay = wanted === TIME_OF_DAY ? 'all' : named;
  const [sheet] = valuesOf('sheet');
  const [started] = filledOf('started');
  const [fastestMs] = filledOf('fastest').map(parseFastest);
  const [point] = filledOf('point').map(parsePoint);
  return {
    ...(point === undefined ? {} : { point }),
    columns: Object.fromEntries(
      MEANINGS.flatMap((meaning) =>
        valuesOf(PARAMETER_OF[meaning]).map((column) => [meaning, column] as const),
      ),
    ),
    ...(sent.has('split') ? { splits: filledOf('split') } : {}),
    ...(headerLine === undefined ? {} : { headerLine }),
    bibFormat,
    timeFormat,
    ...(timesOfDay.length === 0 ? {} : { timesOfDay }),
    ...(started === undefined ? {} : { started }),
    ...(fastestMs === undefined ? {} : { fastestMs }),
    statusWords: parseStatusWords(filledOf('status_word')),
    where: filledOf('where'),
    whereNot: filledOf('where_not'),
    ignore: filledOf('ignore'),
    ...(encoding === undefined ? {} : { encoding }),
    ...(sheet === undefined ? {} : { sheet }),
  };
}

/** The values of each parameter. */
function readQuery(query: Iterable<readonly [string, string]>): Map<ParameterName, string[]> {
  const sent = new Map<ParameterName, string[]>();
  for (const [name, value] of query) {
    if (!isParameter(name)) {
      const names = PARAMETER_NAMES.join(', ');
      throw FileError.of('unknown_parameter', { name: quoted(name), names });
    }
    if (value.length > VALUE_LENGTH_MAX) {
      const { length } = value;
      throw FileError.of('parameter_too_long', { name, length, most: VALUE_LENGTH_MAX });
    }
    if (value.includes('\0')) throw FileError.of('parameter_with_nul', { name });
    const values = sent.get(name);
    if (values) values.push(value);
    else sent.set(name, [value]);
  }
  for (const [name, { length }] of sent) {
    const most = FILE_PARAMETERS[name];
    if (length <= most) continue;
    throw most === 1
      ? FileError.of('parameter_twice', { name })
      : FileError.of('parameter_too_often', { name, count: length, most });
  }
  return sent;
}

/** The parameters as a query for `parseParameters`. Blank without parameters. */
export function writeQuery(parameters: Parameters): string {
  const { columns, splits, headerLine, bibFormat, timeFormat, statusWords, where, whereNot } =
    parameters;
  const { point, ignore, encoding, sheet, started, fastestMs, timesOfDay = [] } = parameters;
  const format = timesOfDay === 'all' ? TIME_OF_DAY : timeFormat;
  const pairs: (readonly [ParameterName, string | undefined])[] = [
    ['point', point],
    ...MEANINGS.map((meaning) => [PARAMETER_OF[meaning], columns[meaning]] as const),
    ...(splits?.length === 0 ? [''] : (splits ?? [])).map((split) => ['split', split] as const),
    ['header_line', headerLine?.toString()],
    ['bib_format', bibFormat === 'exact' ? undefined : bibFormat],
    ['time_format', format === 'clock' ? undefined : format],
    ...(timesOfDay === 'all' ? [] : timesOfDay).map((column) => ['time_of_day', column] as const),
    ['started', started],
    ['fastest', fastestMs === undefined ? undefined : formatRaceTime(fastestMs)],
    ...Array.from(statusWords, (pair) => ['status_word', pair.join(':')] as const),
    ...where.map((condition) => ['where', condition] as const),
    ...whereNot.map((condition) => ['where_not', condition] as const),
    ...ignore.map((column) => ['ignore', column] as const),
    ['encoding', encoding],
    ['sheet', sheet],
  ];
  const written = (value: string) => encodeURIComponent(value).replaceAll('%3A', ':');
  return pairs
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${written(value)}`]))
    .join('&');
}

/** Whether nothing says how to read the columns and cells. The point alone does not. */
export const saysNothing = ({ point: _, ...parameters }: Parameters): boolean =>
  writeQuery(parameters) === '';

/** Whether the file is of a point, and no parameter names the column of the times. */
export const isPointOpen = ({ point, columns: { chipTime, gunTime } }: Parameters): boolean =>
  point !== undefined && chipTime === undefined && gunTime === undefined;

/** The most characters of the name of a point. */
export const POINT_LENGTH_MAX = 100;

function parsePoint(sent: string): string {
  const { fault, name } = publicName(sent, POINT_LENGTH_MAX);
  if (fault === undefined && name !== '') return name;
  throw fault === undefined ? FileError.of('point_blank') : FileError.of('point_wrong', { fault });
}

const LINE_NUMBER = new Pattern(/^\d{1,4}$/);

function parseHeaderLine(text: string): number {
  const line = LINE_NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  if (line <= HEADER_LINE_MAX) return line;
  throw FileError.of('header_line_wrong', { value: quoted(text), most: HEADER_LINE_MAX });
}

function parseEncoding(label: string): Encoding {
  const encoding = encodingNamed(label);
  if (encoding !== undefined) return encoding;
  throw FileError.of('encoding_wrong', { value: quoted(label) });
}

function parseBibFormat(name: string): BibFormat {
  const wanted = name.trim().toLowerCase();
  if (isBibFormat(wanted)) return wanted;
  const names = Object.keys(BIB_FORMATS).join(', ');
  throw FileError.of('bib_format_wrong', { value: quoted(name), names });
}

function parseFastest(text: string): number {
  const timeMs = parseRaceTime(text);
  if (timeMs !== undefined) return timeMs;
  throw FileError.of('fastest_wrong', { value: quoted(text) });
}

/** The `time_format` of a file whose times are all times of day. */
export const TIME_OF_DAY = 'time_of_day';

/** The accepted values of `time_format`. */
export const TIME_FORMAT_NAMES = [...Object.keys(TIME_FORMATS), TIME_OF_DAY];

function parseTimeFormat(name: string): TimeFormat | typeof TIME_OF_DAY {
  const wanted = name.trim().toLowerCase();
  if (isTimeFormat(wanted) || wanted === TIME_OF_DAY) return wanted;
  const names = TIME_FORMAT_NAMES.join(', ');
  throw FileError.of('time_format_wrong', { value: quoted(name), names });
}

function parseStatusWords(pairs: readonly string[]): Map<string, StatusWord> {
  const words = new Map<string, StatusWord>();
  for (const pair of pairs) {
    const colon = pair.lastIndexOf(':');
    const word = wordKey(pair.slice(0, Math.max(colon, 0)));
    const meaning = pair.slice(colon + 1).trim();
    const status = colon >= 0 && meaning === '' ? '' : parseStatus(meaning);
    if (colon < 0 || status === undefined || (word === '' && status === '')) {
      const statuses = RESULT_STATUSES.join(', ');
      throw FileError.of('status_word_wrong', { value: quoted(pair), statuses });
    }
    if ((words.get(word) ?? status) !== status) {
      throw FileError.of('status_word_twice', {
        word: quoted(word),
        one: words.get(word) || 'none',
        other: status || 'none',
      });
    }
    words.set(word, status);
  }
  return words;
}
