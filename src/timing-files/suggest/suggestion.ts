import {
  byContract,
  type ColumnFinder,
  createColumnFinder,
  meets,
  readConditions,
} from '../read/columns.ts';
import type { CsvRow } from '../read/csv-reader.ts';
import { MEANINGS, type Meaning, type Parameters, writeQuery } from '../read/parameters.ts';
import { Pattern } from '../read/pattern.ts';
import { parseTime, TIME_FORMATS, type TimeFormat } from '../read/time-formats.ts';
import { plainName } from '../read/words.ts';
import { type Column, columnsOf, filledCells, isNumber, timesIn } from './column.ts';
import type { ColumnClass } from './column-classes.ts';
import { readColumnTimes } from './column-times.ts';
import type { FileStart } from './file-start.ts';
import { guessBib, type KnownBibs } from './guess-bib.ts';
import { guessRows } from './guess-rows.ts';
import { guessSplits, type SplitsGuess } from './guess-splits.ts';
import {
  guessStatuses,
  type StatusGuess,
  type StatusReading,
  tellsStatuses,
} from './guess-status.ts';
import { guessTimes, type TimesGuess } from './guess-times.ts';
import type { Choice, Warning } from './warning.ts';

/** The suggested parameters. */
export type Suggestion = {
  /** Undefined if a person has to decide. `doubts` then has the choices. */
  parameters: Parameters | undefined;
  why: string;
  doubts: Warning[];
  /** Columns with times or statuses that are not read. */
  leftOut: { name: string; index: number; why: string }[];
};

/** A question to a person. Each answer says what would be suggested next. */
type Doubt = {
  code: Warning['code'];
  detail: string;
  answers: { why: string; next: () => Suggestion | Doubt }[];
  /** The query as it is before the question. */
  before: Parameters;
};

/** The decisions so far. */
type Decided = {
  start: FileStart;
  /** Decisions of a person. They are kept. */
  given: Parameters;
  columns: Column[];
  find: ColumnFinder;
  bib?: Column;
  chip?: Column;
  gun?: Column;
  where: readonly string[];
  format: TimeFormat;
};

const BIB_ANSWERS = 6;
const ROW_ANSWERS = 10;
const TIME_ANSWERS = 6;
/** An answer that leads to another question is followed up to so many choices. */
const CHOICES_MAX = 16;

/**
 * Suggests the parameters with which a file loads right.
 * @param given parameters that a person has decided already. They are kept
 * @param known texts of the file that are bibs of the event
 */
export function suggest(
  start: FileStart,
  given: Parameters,
  known: KnownBibs = new Set(),
): Suggestion {
  const columns = columnsOf(start);
  const find = createColumnFinder(start.header);
  const outcome = decideBib(
    { ...{ start, given, columns, find }, where: given.where, format: given.timeFormat },
    known,
  );
  return isDoubt(outcome) ? ask(outcome) : outcome;
}

const isDoubt = (outcome: Suggestion | Doubt): outcome is Doubt => 'answers' in outcome;

function ask(doubt: Doubt): Suggestion {
  const choices = choicesOf(doubt, CHOICES_MAX);
  const { code, detail } = doubt;
  const asked = { code, detail: withQueries(detail, choices), rows: [], choices };
  return { parameters: undefined, why: '', doubts: [asked], leftOut: [] };
}

/** A query for each answer. One that is a part of the parameters leads to the next question. */
function choicesOf({ answers, before }: Doubt, room: number): Choice[] {
  if (answers.length === 0) return [{ query: writeQuery(before), why: 'what is clear so far' }];
  return answers.flatMap(({ why, next }) => {
    const outcome = next();
    if (!isDoubt(outcome)) {
      const { parameters } = outcome;
      return parameters ? [{ query: writeQuery(parameters), why }] : [];
    }
    const share = Math.floor(room / answers.length);
    if (share < outcome.answers.length || outcome.answers.length === 0) {
      return [{ query: writeQuery(outcome.before), why }];
    }
    return choicesOf(outcome, share).map((choice) => ({ ...choice, why: `${why}; ${choice.why}` }));
  });
}

const withQueries = (detail: string, choices: readonly Choice[]): string =>
  `${detail} Add one of: ${choices.map(({ query, why }) => `${query === '' ? '(no parameter)' : `?${query}`} (${why})`).join('; ')}.`;

function decideBib(decided: Decided, known: KnownBibs): Suggestion | Doubt {
  const { columns, given } = decided;
  const sent = theGiven(decided, 'bib');
  const guess = sent ? { column: sent } : guessBib(columns, known);
  if ('column' in guess) {
    const runners = withRunners({ ...decided, bib: guess.column }, guess.column);
    return decideRows(runners, runners.bib ?? guess.column);
  }
  return {
    code: 'bib_column_unclear',
    detail:
      'No column is clearly the bib. Name it with the parameter bib, by its header or its number, as in #3.',
    before: withStart(decided, given),
    answers: guess.choices.slice(0, BIB_ANSWERS).map((column) => ({
      why: labelWithExample(column),
      next: () => decideBib({ ...decided, given: naming(given, 'bib', column) }, known),
    })),
  };
}

/** Parameters with the line of the header, which names of columns depend on. */
const withStart = ({ start }: Decided, given: Parameters): Parameters => ({
  ...given,
  ...headerLineOf(start, given),
});

function decideRows(decided: Decided, bib: Column): Suggestion | Doubt {
  const { given, columns } = decided;
  if (given.where.length > 0) return decideTimes(withRows(decided, given.where, bib));
  const guess = guessRows(columns, bib);
  if (guess.kind === 'all') return decideTimes(decided);
  if (guess.kind === 'where') {
    return decideTimes(withRows(decided, [conditionOf(guess.column, guess.value)], bib));
  }
  return {
    code: 'rows_unclear',
    detail:
      `A runner has several rows, told apart by "${guess.column.name}". Choose the rows of results with the ` +
      'parameter where.',
    before: withStart(decided, naming(given, 'bib', bib)),
    answers: guess.values.slice(0, ROW_ANSWERS).map((value) => ({
      why: `only rows with ${value}`,
      next: () => decideTimes(withRows(decided, [conditionOf(guess.column, value)], bib)),
    })),
  };
}

/** A name with a colon could be read as a shorter name and a value. A number cannot. */
const conditionOf = ({ name, ref, index }: Column, value: string): string =>
  `${name.includes(':') ? `#${index + 1}` : ref}:${value}`;

/** The columns with the cells of the rows that meet the conditions. */
function withRows(decided: Decided, where: readonly string[], bib: Column): Decided {
  const conditions = readConditions(decided.start.header, where);
  return { ...onlyRows(decided, bib, ({ cells }) => meets(conditions, cells)), where };
}

/** Without the rows that have no bib, such as sums, and without headers that are repeated. */
const withRunners = (decided: Decided, bib: Column): Decided =>
  onlyRows(decided, bib, ({ cells }) => {
    const cell = (cells[bib.index] ?? '').trim();
    return cell !== '' && cell !== bib.name;
  });

function onlyRows(decided: Decided, bib: Column, isWanted: (row: CsvRow) => boolean): Decided {
  const rows = decided.start.rows.filter(isWanted);
  if (rows.length === decided.start.rows.length) return { ...decided, bib };
  const start = { ...decided.start, rows };
  const columns = columnsOf(start);
  return { ...decided, start, columns, bib: columns[bib.index] ?? bib };
}

function decideTimes(decided: Decided): Suggestion | Doubt {
  const { given, columns } = decided;
  const guess = timesOf(decided);
  if (guess.kind === 'unclear') return timesUnclear(decided, guess);
  if (guess.kind === 'none') {
    const hasRows = decided.start.rows.length > 0;
    const outcome = decideStatus(decided);
    const hasStatus = isDoubt(outcome) || outcome.parameters?.columns.status !== '';
    const isTold = hasRows && !guess.isEmpty && hasStatus && tellsStatus(decided);
    return isTold ? outcome : noTimes(decided, hasRows && !guess.isEmpty);
  }
  const own = (column: Column | undefined) => column && columns[column.index];
  const times = { ...decided, ...named(own(guess.chip), own(guess.gun)) };
  const formats = given.timeFormat === 'clock' ? guess.formats : [given.timeFormat];
  const possible = narrowed(formats, columns, times.chip ?? times.gun);
  const [format = 'clock', other] = possible;
  if (other === undefined) return decideStatus({ ...times, format });
  const finish = times.chip ?? times.gun;
  const [example = ''] = finish ? filledCells(finish) : [];
  const answers = possible.map((one) => ({
    why: readsAs(example, one),
    next: () => decideStatus({ ...times, format: one, given: { ...given, timeFormat: one } }),
  }));
  return {
    code: 'time_format_unclear',
    detail: `The times can be read in ${possible.length === 2 ? 'two' : possible.length} ways: ${answers.map(({ why }) => why).join(', or ')}.`,
    before: withTimes(times),
    answers,
  };
}

/** The parameters with the columns of the times that are decided. */
const withTimes = (decided: Decided): Parameters => {
  const { given, bib, chip, gun, where } = decided;
  let named: Parameters = { ...withStart(decided, given), where };
  if (bib) named = naming(named, 'bib', bib);
  if (chip) named = naming(named, 'chipTime', chip);
  if (gun) named = naming(named, 'gunTime', gun);
  return named;
};

function decideStatus(decided: Decided): Suggestion | Doubt {
  const guess = statusesOf(decided);
  if (guess.kind === 'sure') return build(decided, guess.reading);
  return {
    code: 'status_unclear',
    detail: guess.detail,
    before: withTimes(decided),
    answers: guess.readings.map(({ why, ...reading }) => ({
      why,
      next: () => build(decided, reading),
    })),
  };
}

function statusesOf(decided: Decided): StatusGuess {
  const { columns, bib, chip, gun, given } = decided;
  const times = [chip, gun].filter((column) => column !== undefined);
  const others = columns.filter((column) => column.index !== bib?.index);
  const isNone = given.columns.status?.trim() === '';
  return guessStatuses(others, times, given, isNone ? null : theGiven(decided, 'status'));
}

/** Whether a column tells statuses, so that a file without times has results. */
function tellsStatus(decided: Decided): boolean {
  const guess = statusesOf(decided);
  return guess.kind === 'unclear' || guess.reading.column !== undefined;
}

function timesUnclear(
  decided: Decided,
  { why, columns }: Extract<TimesGuess, { kind: 'unclear' }>,
): Doubt {
  return {
    ...(why === 'time_of_day'
      ? {
          code: 'time_of_day',
          detail: 'The times look like times of day, not like times that a race took.',
        }
      : {
          code: 'time_column_unclear',
          detail:
            'No column is clearly the result. Name it with the parameter chip_time or gun_time, by its header ' +
            'or its number, as in #3.',
        }),
    before: withTimes(decided),
    answers: columns.slice(0, TIME_ANSWERS).map(({ column }) => ({
      why: labelWithExample(column),
      next: () => decideTimes({ ...decided, given: naming(decided.given, 'chipTime', column) }),
    })),
  };
}

/** The columns that are named like a result may be filled later. */
function noTimes(decided: Decided, isUnknown: boolean): Doubt {
  const { columns, bib } = decided;
  const named = columns.filter((column) => column !== bib && RESULT_CLASSES.has(column.class));
  return {
    ...(isUnknown
      ? {
          code: 'time_column_unclear' as const,
          detail:
            'No column has times that look like results, and no column has statuses. If a column has times, ' +
            'name it with the parameter chip_time and its format with time_format.',
        }
      : {
          code: 'no_results_yet' as const,
          detail: 'The column of the results is empty: the file has no results yet.',
        }),
    before: withTimes(decided),
    answers: named.slice(0, TIME_ANSWERS).map((column) => ({
      why: `${labelOf(column)} is the time`,
      next: () => decideStatus({ ...decided, chip: column }),
    })),
  };
}

const naming = (given: Parameters, meaning: Meaning, { ref }: Column): Parameters => ({
  ...given,
  columns: { ...given.columns, [meaning]: ref },
});

const named = (chip: Column | undefined, gun: Column | undefined) => ({
  ...(chip ? { chip } : {}),
  ...(gun ? { gun } : {}),
});

/** The columns of the times: those that parameters name, and guesses for the others. */
function timesOf(decided: Decided): TimesGuess {
  const { bib, columns, given } = decided;
  const chip = theGiven(decided, 'chipTime');
  const gun = theGiven(decided, 'gunTime');
  const others = columns.filter((column) => column.index !== bib?.index);
  const places = others.find(({ class: ofName }) => ofName === 'place');
  const guess = guessTimes(
    others.map((column) => asGiven(column, decided, chip, gun)),
    places,
  );
  const sure = chip ?? gun;
  const isNone = given.columns.gunTime?.trim() === '';
  if (isNone && guess.kind === 'times' && guess.chip) {
    return { ...named(guess.chip, undefined), kind: 'times', formats: guess.formats };
  }
  if (!sure || (guess.kind === 'times' && (!chip || guess.chip?.index === chip.index)))
    return guess;
  return { kind: 'times', formats: formatsOf(sure), ...named(chip, gun) };
}

function formatsOf(column: Column): readonly TimeFormat[] {
  const times = readColumnTimes(column);
  if (times.kind === 'unclear') return times.formats;
  return [times.kind === 'times' ? times.format : 'clock'];
}

/** A column with the class that a parameter gives it or takes from it. */
function asGiven(
  column: Column,
  { given }: Decided,
  chip: Column | undefined,
  gun: Column | undefined,
): Column {
  if (column === chip) return { ...column, class: 'netTime' };
  if (column === gun) return { ...column, class: 'gunTime' };
  const isTaken =
    (given.columns.chipTime !== undefined && CHIP_TIMES.has(column.class)) ||
    (given.columns.gunTime !== undefined && column.class === 'gunTime');
  return isTaken ? { ...column, class: 'unknown' } : column;
}

const RESULT_CLASSES = new Set<ColumnClass>(['netTime', 'officialTime', 'time']);
const CHIP_TIMES = new Set<ColumnClass>(['netTime', 'time']);
const FEW_HOURS = new Pattern(/^0?[1-9]:\d\d:\d\d/);

/** Chooses between two formats by the other columns: hours are hours if a split has few. */
function narrowed(
  formats: readonly TimeFormat[],
  columns: readonly Column[],
  finish: Column | undefined,
): readonly TimeFormat[] {
  if (formats[0] !== 'minutes_seconds') return formats;
  const hasHours = columns.some(
    (column) =>
      column !== finish &&
      column.class !== 'noResult' &&
      filledCells(column).some((cell) => FEW_HOURS.test(cell)),
  );
  return hasHours ? ['clock'] : formats;
}

/** The column that a parameter names. */
function theGiven({ columns, find, given }: Decided, meaning: Meaning): Column | undefined {
  const [index = -1] = find(given.columns[meaning] ?? '');
  return columns[index];
}

/** The fewest parameters that say what is decided. */
function build(decided: Decided, status: StatusReading): Suggestion {
  const { start, given, columns, bib, chip, gun, where, format } = decided;
  const statusColumn = theGiven(decided, 'status') ?? status.column;
  const used = [bib, chip, gun, statusColumn].filter((column) => column !== undefined);
  const guess = guessSplits(columns, used, chip ?? gun, format);
  const meanings = { bib, chipTime: chip, gunTime: gun, status: statusColumn };
  const read = new Set([...used, ...guess.splits]);
  const parameters: Parameters = {
    columns: namedColumns(decided, meanings),
    ...splitsOf(decided, guess, used),
    ...headerLineOf(start, given),
    ...(given.encoding === undefined ? {} : { encoding: given.encoding }),
    ...(given.sheet === undefined ? {} : { sheet: given.sheet }),
    timeFormat: format,
    statusWords: new Map([...status.words, ...given.statusWords]),
    where,
  };
  return {
    parameters,
    why: describe(meanings, guess, decided),
    doubts: [],
    leftOut: unread(columns, read, guess),
  };
}

/** The columns with times or statuses that are not read. */
function unread(
  columns: readonly Column[],
  read: ReadonlySet<Column>,
  { leftOut }: SplitsGuess,
): Suggestion['leftOut'] {
  const reasons = new Map(leftOut.map(({ column, why }) => [column, why]));
  return columns.flatMap((column) => {
    if (read.has(column)) return [];
    const why =
      reasons.get(column) ?? (tellsStatuses(column) ? 'another column has the statuses' : '');
    return why === '' && !hasClockTimes(column)
      ? []
      : [{ name: column.name, index: column.index, why: why || 'its name is not that of a time' }];
  });
}

const hasClockTimes = (column: Column): boolean => {
  const filled = filledCells(column);
  const times = timesIn(column, 'apostrophes').filter((ms) => ms !== undefined);
  return times.length > 0 && times.length >= filled.length * 0.6;
};

function headerLineOf({ headerLine, isFirst }: FileStart, given: Parameters) {
  if (given.headerLine !== undefined) return { headerLine: given.headerLine };
  return isFirst ? {} : { headerLine };
}

function namedColumns(
  { start, columns, given, format }: Decided,
  meanings: Record<Meaning, Column | undefined>,
): Parameters['columns'] {
  const contract = byContract(start.header);
  const written: Parameters['columns'] = {};
  for (const meaning of MEANINGS) {
    const sent = given.columns[meaning];
    const byName = contract[meaning].flatMap((index) => columns[index] ?? []);
    const ref = sent ?? refOf(meaning, meanings[meaning], byName, format);
    if (ref !== undefined) written[meaning] = ref;
  }
  return written;
}

/** How to name the column of a meaning. Undefined if the contract's names find it. */
function refOf(
  meaning: Meaning,
  column: Column | undefined,
  byName: readonly Column[],
  format: TimeFormat,
): string | undefined {
  const filled = byName.filter((other) => filledCells(other).length > 0);
  if (!column) return filled.length > 0 ? '' : undefined;
  // An upload takes the first cell that is a time, so a column of transponder codes does no harm.
  const isTime = meaning === 'chipTime' || meaning === 'gunTime';
  const rivals = filled.filter(
    (other) => !isTime || timesIn(other, 'clock').some((ms) => ms !== undefined),
  );
  const [first = column] = rivals;
  const hasTwin = byName.some(
    (other) => other !== column && sameName(other, column) && isDifferent(other, column),
  );
  const isFound = byName.includes(column) && first === column && !hasTwin;
  return isFound && (byName.length === 1 || format === 'clock') ? undefined : column.ref;
}

const sameName = (one: Column, other: Column): boolean =>
  plainName(one.name) === plainName(other.name);

const isDifferent = (one: Column, other: Column): boolean =>
  one.cells.some((cell, at) => cell !== '' && other.cells[at] !== '' && cell !== other.cells[at]);

/** The parameter split, if an upload without it would store other splits. */
function splitsOf(
  { start, columns, given, format }: Decided,
  { splits, leftOut }: SplitsGuess,
  used: readonly Column[],
): { splits?: readonly string[] } {
  if (given.splits) return { splits: given.splits };
  const taken = new Set(Object.values(byContract(start.header)).flat());
  const right = new Set([...used, ...splits]);
  const wrong = new Set(leftOut.map(({ column }) => column));
  const isWrong = columns.some(
    (column) =>
      !right.has(column) &&
      !taken.has(column.index) &&
      column.name !== '' &&
      (wrong.has(column) || timesIn(column, format).some((ms) => ms !== undefined)),
  );
  const isTwice = splits.some(({ ref }) => ref.startsWith('#'));
  const areNumbers = splits.some(({ cells }) => cells.some(isNumber));
  return isWrong || isTwice || areNumbers ? { splits: splits.map(({ ref }) => ref) } : {};
}

function describe(
  { bib, chipTime, gunTime, status }: Record<Meaning, Column | undefined>,
  { splits, leftOut }: SplitsGuess,
  { where, format, start }: Decided,
): string {
  const parts = [
    start.headerLine === 0 ? 'the file has no header' : '',
    start.headerLine > 0 && !start.isFirst ? `the header is on line ${start.headerLine}` : '',
    bib ? `${labelOf(bib)} is the bib` : '',
    chipTime ? `${labelOf(chipTime)} is the time` : '',
    gunTime ? `${labelOf(gunTime)} is the gun time` : '',
    status ? `${labelOf(status)} has the status` : '',
    format === 'clock'
      ? ''
      : `times are written like ${Object.keys(TIME_FORMATS[format].examples)[0]}`,
    where.length > 0 ? `results are the rows with ${where.join(' and ')}` : '',
    splits.length > 0 ? `splits are ${splits.map(labelOf).join(', ')}` : '',
    leftOut.length > 0
      ? `left out: ${leftOut.map(({ column, why }) => `${labelOf(column)}, ${why}`).join('; ')}`
      : '',
  ].filter((part) => part !== '');
  const text = parts.join('; ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

const labelOf = ({ name, ref }: Column): string => (name === '' ? `column ${ref}` : `"${name}"`);

const labelWithExample = (column: Column): string =>
  `${labelOf(column)}, as in ${column.cells[0] ?? ''}`;

function readsAs(example: string, format: TimeFormat): string {
  const timeMs = parseTime(format, example);
  if (timeMs === undefined) return format;
  const [hours, minutes, seconds] = [3_600_000, 60_000, 1_000].map((unit) =>
    Math.floor(timeMs / unit),
  );
  const parts = [`${hours} h`, `${(minutes ?? 0) % 60} min`, `${(seconds ?? 0) % 60} s`];
  return `${example} is ${parts.filter((part) => !part.startsWith('0 ')).join(' ')}`;
}
