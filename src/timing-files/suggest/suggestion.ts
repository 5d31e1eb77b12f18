import {
  byContract,
  type ColumnFinder,
  createColumnFinder,
  meets,
  readConditions,
} from '../read/columns.ts';
import { MEANINGS, type Meaning, type Parameters, writeQuery } from '../read/parameters.ts';
import { Pattern } from '../read/pattern.ts';
import { parseTime, TIME_FORMATS, type TimeFormat } from '../read/time-formats.ts';
import { type Column, columnsOf, filledCells, timesIn } from './column.ts';
import type { ColumnClass } from './column-classes.ts';
import { readColumnTimes } from './column-times.ts';
import type { FileStart } from './file-start.ts';
import { guessBib } from './guess-bib.ts';
import { guessRows } from './guess-rows.ts';
import { guessSplits, type SplitsGuess } from './guess-splits.ts';
import { guessStatuses, type StatusGuess } from './guess-status.ts';
import { guessTimes, type TimesGuess } from './guess-times.ts';
import type { Choice, Warning } from './warning.ts';

/** The suggested parameters. */
export type Suggestion = {
  /** Undefined if a person has to decide. `doubts` then has the choices. */
  parameters: Parameters | undefined;
  why: string;
  doubts: Warning[];
  /** Columns with times that are no splits, though an upload would store them as splits. */
  leftOut: { name: string; why: string }[];
};

/** A question to a person. Each answer says what would be suggested next. */
type Doubt = {
  code: Warning['code'];
  detail: string;
  answers: { why: string; next: () => Suggestion | Doubt }[];
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

/**
 * Suggests the parameters with which a file loads right.
 * @param given parameters that a person has decided already. They are kept
 */
export function suggest(start: FileStart, given: Parameters): Suggestion {
  const columns = columnsOf(start);
  const find = createColumnFinder(start.header);
  const outcome = decideBib({
    ...{ start, given, columns, find },
    where: given.where,
    format: given.timeFormat,
  });
  return isDoubt(outcome) ? ask(outcome) : outcome;
}

const isDoubt = (outcome: Suggestion | Doubt): outcome is Doubt => 'answers' in outcome;

/** Follows each answer once. An answer that leads to another question is no choice. */
function ask({ code, detail, answers }: Doubt): Suggestion {
  const choices = answers.flatMap(({ why, next }) => {
    const outcome = next();
    const parameters = isDoubt(outcome) ? undefined : outcome.parameters;
    return parameters ? [{ query: writeQuery(parameters), why }] : [];
  });
  const doubt = { code, detail: withQueries(detail, choices), rows: [], choices };
  return { parameters: undefined, why: '', doubts: [doubt], leftOut: [] };
}

const withQueries = (detail: string, choices: readonly Choice[]): string =>
  choices.length === 0
    ? detail
    : `${detail} Add one of: ${choices.map(({ query, why }) => `${query === '' ? '(no parameter)' : `?${query}`} (${why})`).join('; ')}.`;

function decideBib(decided: Decided): Suggestion | Doubt {
  const { columns, given } = decided;
  const sent = theGiven(decided, 'bib');
  const guess = sent ? { column: sent } : guessBib(columns);
  if ('column' in guess) return decideRows({ ...decided, bib: guess.column }, guess.column);
  return {
    code: 'bib_column_unclear',
    detail:
      'No column is clearly the bib. Name it with the parameter bib, by its header or its number, as in #3.',
    answers: guess.choices.slice(0, BIB_ANSWERS).map((column) => ({
      why: labelWithExample(column),
      next: () => decideBib({ ...decided, given: naming(given, 'bib', column) }),
    })),
  };
}

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
  const meeting = decided.start.rows.map(({ cells }) => meets(conditions, cells));
  const columns = decided.columns.map((column) => ({
    ...column,
    cells: column.cells.filter((_, at) => meeting[at]),
  }));
  return { ...decided, where, columns, bib: columns[bib.index] ?? bib };
}

function decideTimes(decided: Decided): Suggestion | Doubt {
  const { given, columns } = decided;
  const guess = timesOf(decided);
  if (guess.kind === 'unclear') return timesUnclear(decided, guess);
  if (guess.kind === 'none') {
    const status = guessStatuses(columns, []);
    return guess.isEmpty || !status.column ? noTimes(guess.isEmpty) : build(decided, status);
  }
  const own = (column: Column | undefined) => column && columns[column.index];
  const times = { ...decided, ...named(own(guess.chip), own(guess.gun)) };
  const formats = given.timeFormat === 'clock' ? guess.formats : [given.timeFormat];
  const [format = 'clock', other] = narrowed(formats, columns, times.chip ?? times.gun);
  if (other === undefined) return build({ ...times, format }, statusesOf(times));
  const finish = times.chip ?? times.gun;
  const [example = ''] = finish ? filledCells(finish) : [];
  const answers = [format, other].map((one) => ({
    why: readsAs(example, one),
    next: () => build({ ...times, format: one }, statusesOf(times)),
  }));
  return {
    code: 'time_format_unclear',
    detail: `The times can be read in two ways: ${answers.map(({ why }) => why).join(', or ')}.`,
    answers,
  };
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
    answers: columns.slice(0, TIME_ANSWERS).map(({ column }) => ({
      why: labelWithExample(column),
      next: () => decideTimes({ ...decided, given: naming(decided.given, 'chipTime', column) }),
    })),
  };
}

const noTimes = (isEmpty: boolean): Doubt =>
  isEmpty
    ? {
        code: 'no_results_yet',
        detail: 'The column of the results is empty: the file has no results yet.',
        answers: [],
      }
    : {
        code: 'time_column_unclear',
        detail:
          'No column has times that look like results, and no column has statuses. If a column has times, ' +
          'name it with the parameter chip_time and its format with time_format.',
        answers: [],
      };

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
  const { bib, columns } = decided;
  const chip = theGiven(decided, 'chipTime');
  const gun = theGiven(decided, 'gunTime');
  const others = columns.filter((column) => column.index !== bib?.index);
  const guess = guessTimes(others.map((column) => asGiven(column, decided, chip, gun)));
  const sure = chip ?? gun;
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

const statusesOf = ({ columns, chip, gun }: Decided): StatusGuess =>
  guessStatuses(
    columns,
    [chip, gun].filter((column) => column !== undefined),
  );

/** The column that a parameter names. */
function theGiven({ columns, find, given }: Decided, meaning: Meaning): Column | undefined {
  const [index = -1] = find(given.columns[meaning] ?? '');
  return columns[index];
}

/** The fewest parameters that say what is decided. */
function build(decided: Decided, status: StatusGuess): Suggestion {
  const { start, given, columns, bib, chip, gun, where, format } = decided;
  const statusColumn = theGiven(decided, 'status') ?? status.column;
  const used = [bib, chip, gun, statusColumn].filter((column) => column !== undefined);
  const guess = guessSplits(columns, used, chip ?? gun, format);
  const meanings = { bib, chipTime: chip, gunTime: gun, status: statusColumn };
  const leftOut = guess.leftOut.map(({ column, why }) => ({ name: column.name, why }));
  const parameters: Parameters = {
    columns: namedColumns(decided, meanings),
    ...splitsOf(decided, guess, used),
    ...headerLineOf(start, given),
    timeFormat: format,
    statusWords: new Map([...status.words, ...given.statusWords]),
    where,
  };
  return { parameters, why: describe(meanings, guess, decided), doubts: [], leftOut };
}

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
  const isFound = byName.includes(column) && first === column;
  return isFound && (byName.length === 1 || format === 'clock') ? undefined : column.ref;
}

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
  return isWrong || isTwice ? { splits: splits.map(({ ref }) => ref) } : {};
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
