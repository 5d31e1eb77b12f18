import type { ColumnClass } from './column-classes.ts';
import { readColumnTimes } from './column-times.ts';
import { byContract, namedIndexes } from './columns.ts';
import type { FileStart } from './file-start.ts';
import { guessBib } from './guess-bib.ts';
import { guessRows } from './guess-rows.ts';
import { guessSplits, type SplitsGuess } from './guess-splits.ts';
import { guessStatuses, type StatusGuess } from './guess-status.ts';
import { guessTimes, type TimesGuess } from './guess-times.ts';
import { MEANINGS, type Meaning, type Parameters, writeQuery } from './parameters.ts';
import { type Column, columnsOf, filledCells } from './table.ts';
import { parseTime, TIME_FORMATS, type TimeFormat } from './time-formats.ts';
import type { Choice, Warning } from './warning.ts';

/** What a person would make of a file. */
export type Suggestion = {
  /** Undefined where a person has to decide; `doubts` says between what. */
  parameters: Parameters | undefined;
  why: string;
  doubts: Warning[];
  /** Columns with times that are no splits, though an upload would take them for some. */
  leftOut: { name: string; why: string }[];
};

/** What is decided so far; the rest is what a person has to say. */
type Decided = {
  start: FileStart;
  given: Parameters;
  columns: Column[];
  bib?: Column;
  chip?: Column;
  gun?: Column;
  where: string[];
  format: TimeFormat;
};

/**
 * Suggests the parameters under which a file loads right.
 * @param given parameters that somebody has decided already; they are kept
 */
export function suggest(start: FileStart, given: Parameters): Suggestion {
  const all = columnsOf(start);
  const bib = theGiven(all, given, 'bib') ?? guessBib(all);
  const undecided: Decided = {
    start,
    given,
    columns: all,
    where: [...given.where],
    format: given.timeFormat,
  };
  if (!('column' in bib)) return bibUnclear(undecided, bib.choices);
  return suggestRows({ ...undecided, bib: bib.column }, bib.column);
}

function suggestRows(decided: Decided, bib: Column): Suggestion {
  const { start, given } = decided;
  const guess =
    given.where.length > 0 ? ({ kind: 'all' } as const) : guessRows(decided.columns, bib);
  if (guess.kind === 'unclear') {
    const choices = guess.values.slice(0, 10).flatMap((value) => {
      const where = `${guess.column.ref}:${value}`;
      const { parameters } = suggest(start, { ...given, where: [where] });
      return parameters ? [{ query: writeQuery(parameters), why: `only rows with ${value}` }] : [];
    });
    return doubt(
      'rows_unclear',
      `A runner has several rows, told apart by "${guess.column.name}": say which of them are results.`,
      choices,
    );
  }
  const where = guess.kind === 'where' ? [`${guess.column.ref}:${guess.value}`] : given.where;
  const columns = chosenRows(decided.columns, where);
  return suggestTimes({ ...decided, columns, where: [...where], bib: columns[bib.index] ?? bib });
}

function suggestTimes(decided: Decided): Suggestion {
  const { given, columns } = decided;
  const guess = timesOf(decided, columns, given);
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
  const choices = [format, other].flatMap((one) => {
    const { parameters } = build({ ...times, format: one }, statusesOf(times));
    const [example = ''] = filledCells(times.chip ?? times.gun ?? noColumn);
    return parameters ? [{ query: writeQuery(parameters), why: readsAs(example, one) }] : [];
  });
  return doubt(
    'time_format_unclear',
    `The times can be read in two ways: ${choices.map(({ why }) => why).join(', or ')}.`,
    choices,
  );
}

const noColumn: Column = { index: -1, name: '', ref: '', class: 'unknown', cells: [] };

const named = (chip: Column | undefined, gun: Column | undefined) => ({
  ...(chip ? { chip } : {}),
  ...(gun ? { gun } : {}),
});

/** What parameters say of the times counts; the rest is guessed. */
function timesOf({ bib }: Decided, columns: readonly Column[], given: Parameters): TimesGuess {
  const others = columns.filter((column) => column.index !== bib?.index);
  const guess = guessTimes(others.map((column) => asGiven(column, columns, given)));
  const chip = theGiven(columns, given, 'chipTime')?.column;
  const gun = theGiven(columns, given, 'gunTime')?.column;
  const sure = chip ?? gun;
  if (!sure || (guess.kind === 'times' && (!chip || guess.chip?.index === chip.index)))
    return guess;
  return { kind: 'times', formats: formatsOf(sure), ...named(chip, gun) };
}

function formatsOf(column: Column): readonly TimeFormat[] {
  const times = readColumnTimes(column.name, column.cells);
  if (times.kind === 'unclear') return times.formats;
  return [times.kind === 'times' ? times.format : 'clock'];
}

/** A column with the class that a parameter gives it, or takes from it. */
function asGiven(column: Column, columns: readonly Column[], given: Parameters): Column {
  if (theGiven(columns, given, 'chipTime')?.column === column)
    return { ...column, class: 'netTime' };
  if (theGiven(columns, given, 'gunTime')?.column === column)
    return { ...column, class: 'gunTime' };
  const isTaken =
    (given.columns.chipTime !== undefined && CHIP_TIMES.has(column.class)) ||
    (given.columns.gunTime !== undefined && column.class === 'gunTime');
  return isTaken ? { ...column, class: 'unknown' } : column;
}

const CHIP_TIMES = new Set<ColumnClass>(['netTime', 'time']);

/** Of two formats, the one that other columns speak for: hours are hours where a split has few. */
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
      filledCells(column).some((cell) => /^0?[1-9]:\d\d:\d\d/.test(cell)),
  );
  return hasHours ? ['clock'] : formats;
}

const statusesOf = ({ columns, chip, gun }: Decided): StatusGuess =>
  guessStatuses(
    columns,
    [chip, gun].filter((column) => column !== undefined),
  );

/** The column that a parameter names. */
function theGiven(
  columns: readonly Column[],
  given: Parameters,
  meaning: Meaning,
): { column: Column } | undefined {
  const sent = given.columns[meaning];
  if (sent === undefined || sent.trim() === '') return undefined;
  const [index = -1] = namedIndexes(
    columns.map(({ name }) => name),
    sent,
  );
  const column = columns[index];
  return column && { column };
}

function chosenRows(columns: readonly Column[], where: readonly string[]): Column[] {
  const names = columns.map(({ name }) => name);
  const accepts = where.map((condition) => {
    const colon = condition.lastIndexOf(':');
    const [index = -1] = namedIndexes(names, condition.slice(0, colon));
    return {
      index,
      value: condition
        .slice(colon + 1)
        .trim()
        .toLowerCase(),
    };
  });
  const isChosen = (at: number) =>
    accepts.every(({ index, value }) => columns[index]?.cells[at]?.toLowerCase() === value);
  return columns.map((column) => ({
    ...column,
    cells: column.cells.filter((_, at) => isChosen(at)),
  }));
}

/** All of it, put into the fewest parameters that say it. */
function build(decided: Decided, status: StatusGuess): Suggestion {
  const { start, given, columns, bib, chip, gun, where, format } = decided;
  const statusColumn = theGiven(columns, given, 'status')?.column ?? status.column;
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
  { columns, given, format }: Decided,
  meanings: Record<Meaning, Column | undefined>,
): Parameters['columns'] {
  const contract = byContract(columns.map(({ name }) => name));
  const written: Parameters['columns'] = {};
  for (const meaning of MEANINGS) {
    const sent = given.columns[meaning];
    const byName = contract[meaning].flatMap((index) => columns[index] ?? []);
    const ref = sent ?? refOf(meaning, meanings[meaning], byName, format);
    if (ref !== undefined) written[meaning] = ref;
  }
  return written;
}

/** How to name the column of a meaning; undefined where the contract's names find it anyway. */
function refOf(
  meaning: Meaning,
  column: Column | undefined,
  byName: readonly Column[],
  format: TimeFormat,
): string | undefined {
  const filled = byName.filter((other) => filledCells(other).length > 0);
  if (!column) return filled.length > 0 ? '' : undefined;
  // Of several times, the first cell that is one counts: a transponder's code is none.
  const isTime = meaning === 'chipTime' || meaning === 'gunTime';
  const rivals = filled.filter(
    (other) => !isTime || other.cells.some((cell) => parseTime('clock', cell) !== undefined),
  );
  const [first = column] = rivals;
  const isFound = byName.includes(column) && first === column;
  return isFound && (byName.length === 1 || format === 'clock') ? undefined : column.ref;
}

/** The splits, where the columns that an upload would take for splits are others. */
function splitsOf(
  { columns, given, format }: Decided,
  { splits, leftOut }: SplitsGuess,
  used: readonly Column[],
): { splits?: readonly string[] } {
  if (given.splits) return { splits: given.splits };
  const taken = new Set(Object.values(byContract(columns.map(({ name }) => name))).flat());
  const isWrong = columns.some(
    (column) =>
      !used.includes(column) &&
      !taken.has(column.index) &&
      column.name !== '' &&
      !splits.includes(column) &&
      (column.cells.some((cell) => parseTime(format, cell) !== undefined) ||
        leftOut.some((one) => one.column === column)),
  );
  const isTwice = splits.some(({ ref }) => ref.startsWith('#'));
  return isWrong || isTwice ? { splits: splits.map(({ ref }) => ref) } : {};
}

function describe(
  { bib, chipTime, gunTime, status }: Record<Meaning, Column | undefined>,
  { splits, leftOut }: SplitsGuess,
  { where, format, start }: Decided,
): string {
  const label = (column: Column) =>
    column.name === '' ? `column ${column.ref}` : `"${column.name}"`;
  const parts = [
    start.headerLine === 0 ? 'the file has no header' : '',
    start.headerLine > 0 && !start.isFirst ? `the header is on line ${start.headerLine}` : '',
    bib ? `${label(bib)} is the bib` : '',
    chipTime ? `${label(chipTime)} is the time` : '',
    gunTime ? `${label(gunTime)} is the gun time` : '',
    status ? `${label(status)} tells the status` : '',
    format === 'clock'
      ? ''
      : `times are written like ${Object.keys(TIME_FORMATS[format].examples)[0]}`,
    where.length > 0 ? `results are the rows with ${where.join(' and ')}` : '',
    splits.length > 0 ? `splits are ${splits.map(label).join(', ')}` : '',
    leftOut.length > 0
      ? `left out: ${leftOut.map(({ column, why }) => `${label(column)}, ${why}`).join('; ')}`
      : '',
  ].filter((part) => part !== '');
  const text = parts.join('; ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

const doubt = (code: Warning['code'], detail: string, choices: Choice[]): Suggestion => ({
  parameters: undefined,
  why: '',
  doubts: [{ code, detail: withQueries(detail, choices), rows: [], choices }],
  leftOut: [],
});

const withQueries = (detail: string, choices: readonly Choice[]): string =>
  choices.length === 0
    ? detail
    : `${detail} Add one of: ${choices.map(({ query, why }) => `${query === '' ? '(no parameter)' : `?${query}`} (${why})`).join('; ')}.`;

const bibUnclear = (decided: Decided, columns: readonly Column[]): Suggestion =>
  doubt('bib_column_unclear', 'No column is clearly the bib.', queriesFor(decided, 'bib', columns));

function timesUnclear(
  decided: Decided,
  { why, columns }: Extract<TimesGuess, { kind: 'unclear' }>,
): Suggestion {
  const choices = queriesFor(
    decided,
    'chipTime',
    columns.map(({ column }) => column),
  );
  return why === 'time_of_day'
    ? doubt(
        'time_of_day',
        'The times look like times of the day, not like times that a race took.',
        choices,
      )
    : doubt('time_column_unclear', 'No column is clearly the result.', choices);
}

const noTimes = (isEmpty: boolean): Suggestion =>
  isEmpty
    ? doubt('no_results_yet', 'The column of the results is empty: the file has none yet.', [])
    : doubt(
        'time_column_unclear',
        'No column has times that look like results, and none has statuses.',
        [],
      );

/** A query for each column that can have the meaning. */
function queriesFor(decided: Decided, meaning: Meaning, columns: readonly Column[]): Choice[] {
  const { start, given, where } = decided;
  return columns.slice(0, 6).flatMap(({ ref, name, cells }) => {
    const chosen = { ...given, where, columns: { ...given.columns, [meaning]: ref } };
    const { parameters } = suggest(start, chosen);
    const [example = ''] = cells;
    const why = `${name === '' ? `column ${ref}` : `"${name}"`}, as in ${example}`;
    return parameters ? [{ query: writeQuery(parameters), why }] : [];
  });
}

function readsAs(example: string, format: TimeFormat): string {
  const timeMs = parseTime(format, example);
  if (timeMs === undefined) return format;
  const [hours, minutes, seconds] = [3_600_000, 60_000, 1_000].map((unit) =>
    Math.floor(timeMs / unit),
  );
  const parts = [`${hours} h`, `${(minutes ?? 0) % 60} min`, `${(seconds ?? 0) % 60} s`];
  return `${example} is ${parts.filter((part) => !part.startsWith('0 ')).join(' ')}`;
}
