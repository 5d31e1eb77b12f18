import { type Columns, createColumnFinder, meets, readConditions } from '../read/columns.ts';
import type { CsvRow } from '../read/csv-reader.ts';
import { FileError } from '../read/file-error.ts';
import { MEANINGS, type Meaning, type Parameters, writeQuery } from '../read/parameters.ts';
import { Pattern } from '../read/pattern.ts';
import { RowError } from '../read/reason-codes.ts';
import { judge } from '../read/result.ts';
import { toFileRow } from '../read/results-file.ts';
import { parseTime, TIME_FORMATS, type TimeFormat } from '../read/time-formats.ts';
import { type Column, columnsOf, filledCells, timesIn } from './column.ts';
import type { ColumnClass } from './column-classes.ts';
import { formatsIn } from './column-times.ts';
import { type FileStart, recognize } from './file-start.ts';
import { guessBib, type KnownBibs } from './guess-bib.ts';
import { guessRows } from './guess-rows.ts';
import {
  guessSplits,
  type LeftOut,
  type SplitsGuess,
  unread,
  unsureSplits,
} from './guess-splits.ts';
import { guessStatuses, type StatusReading } from './guess-status.ts';
import { guessTimes, type TimesGuess } from './guess-times.ts';
import type { Choice, Warning } from './warning.ts';

/** The suggested parameters. */
export type Suggestion = {
  /** Undefined if a person has to decide. `doubts` then has the choices. */
  parameters: Parameters | undefined;
  why: string;
  doubts: Warning[];
  /** Columns with times or statuses that are not read. */
  leftOut: LeftOut[];
};

/** Parameters that are decided so far. */
type Given = Parameters & {
  /** The parameters that a person sent or chose. They stay in the query. */
  chosen: ReadonlySet<string>;
};

/** Parameters that an answer adds. */
type Change = Partial<Pick<Parameters, 'columns' | 'splits' | 'timeFormat' | 'where'>> & {
  statusWords?: StatusReading['words'];
};

/** A question to a person. */
type Question = Pick<Warning, 'code' | 'detail'> & {
  given: Given;
  answers: { why: string; given: Given }[];
};

type Outcome = Suggestion | Question;

/** The column of each meaning. */
type Used = Record<Meaning, Column | undefined>;

const BIB_ANSWERS = 6;
const ROW_ANSWERS = 10;
const TIME_ANSWERS = 6;
/** An answer that leads to another question is followed up to so many choices. */
const CHOICES_MAX = 16;
/** Each answer that is followed costs as much as a suggestion, which grows with the columns. */
const FOLLOWED_COLUMNS_MAX = 200;

/**
 * Suggests the parameters with which a file loads right.
 * @param sent parameters that a person has decided already. They are kept
 * @param known texts of the file that are bibs of the event
 */
export function suggest(
  start: FileStart,
  sent: Parameters,
  known: KnownBibs = new Set(),
): Suggestion {
  const decide = createDecider(start, known);
  const isFormatSent = sent.timeFormat !== 'clock';
  const outcome = decide({
    ...(start.isFirst ? {} : { headerLine: start.headerLine }),
    ...sent,
    chosen: new Set([
      ...Object.keys(sent.columns),
      ...(sent.splits ? ['splits'] : []),
      ...(isFormatSent ? ['timeFormat'] : []),
    ]),
  });
  if (!isQuestion(outcome)) return outcome;
  const { code, detail } = outcome;
  const isFollowed = start.header.length <= FOLLOWED_COLUMNS_MAX;
  const choices = choicesOf(outcome, decide, isFollowed ? CHOICES_MAX : 0);
  const queries = choices.map(
    ({ query, why }) => `${query === '' ? '(no parameter)' : `?${query}`} (${why})`,
  );
  const asked = { code, detail: `${detail} Add one of: ${queries.join('; ')}.`, rows: [], choices };
  return { parameters: undefined, why: '', doubts: [asked], leftOut: [] };
}

const isQuestion = (outcome: Outcome): outcome is Question => 'answers' in outcome;

/**
 * A query for each answer. A query with a part of the parameters leads to the next question.
 * @param room for so many choices; without it no answer is followed
 */
function choicesOf(
  { answers, given: before }: Question,
  decide: (given: Given) => Outcome,
  room: number,
): Choice[] {
  if (answers.length === 0) return [{ query: writeQuery(before), why: 'what is clear so far' }];
  const share = Math.floor(room / answers.length);
  return answers.flatMap(({ why, given }) => {
    const outcome = room === 0 ? undefined : decide(given);
    if (!outcome) return [{ query: writeQuery(given), why }];
    if (!isQuestion(outcome)) {
      return outcome.parameters ? [{ query: writeQuery(outcome.parameters), why }] : [];
    }
    const { length } = outcome.answers;
    if (length === 0 || share < length) return [{ query: writeQuery(outcome.given), why }];
    const choices = choicesOf(outcome, decide, share);
    return choices.map((choice) => ({ ...choice, why: `${why}; ${choice.why}` }));
  });
}

/** Decides one thing after the other. Each decision starts from those before it. */
function createDecider(start: FileStart, known: KnownBibs): (given: Given) => Outcome {
  const find = createColumnFinder(start.header);
  const all = columnsOf(start);
  const columnIn = (columns: readonly Column[], given: Given, meaning: Meaning) =>
    columns[find(given.columns[meaning] ?? '')[0] ?? -1];

  return (given) => {
    const guess = guessBib(all, known);
    const bib = columnIn(all, given, 'bib') ?? ('column' in guess ? guess.column : undefined);
    if (bib) return decideRows(naming(given, 'bib', bib), bib);
    return ask(
      given,
      'bib_column_unclear',
      'No column is clearly the bib. Name it with the parameter bib, by its header or its number, as in #3.',
      ('choices' in guess ? guess.choices : []).slice(0, BIB_ANSWERS).map((column) => ({
        why: labelWithExample(column),
        change: { columns: { bib: column.ref } },
      })),
    );
  };

  /** Chooses the rows of results. Rows without a bib, such as sums, and repeated headers are not chosen. */
  function decideRows(given: Given, bib: Column): Outcome {
    const conditions = readConditions(start.header, given.where);
    const rows = start.rows.filter(({ cells }) => {
      const cell = (cells[bib.index] ?? '').trim();
      return cell !== '' && cell !== bib.name && meets(conditions, cells);
    });
    const columns = rows.length === start.rows.length ? all : columnsOf({ ...start, rows });
    const guess = guessRows(columns, columns[bib.index] ?? bib);
    if (conditions.length > 0 || !guess) return decideTimes(given, columns);
    const answers = guess.values.map((value) => ({
      why: `only rows with ${value}`,
      change: { where: [conditionOf(guess.column, value)] },
    }));
    const [only, second] = answers;
    if (only && !second) return decideRows({ ...given, ...only.change }, bib);
    return ask(
      given,
      'rows_unclear',
      `A runner has several rows, told apart by "${guess.column.name}". Choose the rows of results with the ` +
        'parameter where.',
      answers.slice(0, ROW_ANSWERS),
    );
  }

  function decideTimes(given: Given, columns: readonly Column[]): Outcome {
    const guess = timesOf(given, columns);
    if (guess.kind === 'times') return decideFormat(given, columns, guess);
    if (guess.kind === 'none' && !guess.isEmpty) {
      const status = statusesOf(given, columns, []);
      const isFound = status.kind === 'unclear' || status.reading.column !== undefined;
      if (isFound && given.columns.status !== '') return decideStatus(given, columns, {});
    }
    return timesUnclear(given, columns, guess);
  }

  /** The columns of the times: those that parameters name, and guesses for the others. */
  function timesOf(given: Given, columns: readonly Column[]): TimesGuess {
    const [bib, chip, gun] = (['bib', 'chipTime', 'gunTime'] as const).map((meaning) =>
      columnIn(columns, given, meaning),
    );
    const others = columns.filter((column) => column !== bib);
    const guess = guessTimes(
      others.map((column) => asGiven(column, given, chip, gun)),
      others.find(({ class: ofName }) => ofName === 'place'),
    );
    const sure = chip ?? gun;
    const isMet = guess.kind === 'times' && (!chip || guess.chip?.index === chip.index);
    if (!sure || isMet) return guess;
    const [first = 'clock', ...more] = formatsIn(sure);
    return { kind: 'times', chip, gun, formats: [first, ...more] };
  }

  function decideFormat(
    given: Given,
    columns: readonly Column[],
    guess: Extract<TimesGuess, { kind: 'times' }>,
  ): Outcome {
    // The guess has copies of columns to which parameters give another class.
    const own = (column: Column | undefined) => column && columns[column.index];
    const chip = own(guess.chip);
    const isGunNone = given.columns.gunTime?.trim() === '' && chip !== undefined;
    const gun = isGunNone ? undefined : own(guess.gun);
    const finish = chip ?? gun;
    const times = naming(naming(given, 'chipTime', chip), 'gunTime', gun);
    const possible = given.chosen.has('timeFormat')
      ? [given.timeFormat]
      : narrowed(guess.formats, columns, finish);
    const [format = 'clock', other] = possible;
    if (other === undefined) {
      return decideStatus({ ...times, timeFormat: format }, columns, { chip, gun });
    }
    const [example = ''] = finish ? filledCells(finish) : [];
    const answers = possible.map((one) => ({
      why: readsAs(example, one),
      change: { timeFormat: one },
    }));
    return ask(
      times,
      'time_format_unclear',
      `The times can be read in ${possible.length === 2 ? 'two' : possible.length} ways: ${answers.map(({ why }) => why).join(', or ')}.`,
      answers,
    );
  }

  function statusesOf(given: Given, columns: readonly Column[], times: readonly Column[]) {
    const bib = columnIn(columns, given, 'bib');
    const isNone = given.columns.status?.trim() === '';
    return guessStatuses(
      columns.filter((column) => column !== bib),
      times,
      given,
      isNone ? null : columnIn(columns, given, 'status'),
    );
  }

  function decideStatus(
    given: Given,
    columns: readonly Column[],
    { chip, gun }: { chip?: Column | undefined; gun?: Column | undefined },
  ): Outcome {
    const times = [chip, gun].filter((column) => column !== undefined);
    const guess = statusesOf(given, columns, times);
    if (guess.kind === 'unclear') {
      const answers = guess.readings.map(({ why, column, words }) => ({
        why,
        change: { columns: { status: column?.ref ?? '' }, statusWords: words },
      }));
      return ask(given, 'status_unclear', guess.detail, answers);
    }
    const { column, words } = guess.reading;
    return build({ ...given, statusWords: new Map([...words, ...given.statusWords]) }, columns, {
      bib: columnIn(columns, given, 'bib'),
      chipTime: chip,
      gunTime: gun,
      status: columnIn(columns, given, 'status') ?? column,
    });
  }

  function build(given: Given, columns: readonly Column[], used: Used): Outcome {
    const usedColumns = Object.values(used).filter((column) => column !== undefined);
    const finish = used.chipTime ?? used.gunTime;
    const guess = guessSplits(columns, usedColumns, finish, given.timeFormat);
    const unsure = given.splits ? [] : unsureSplits(guess.splits, finish, given.timeFormat);
    if (unsure.length > 0) return splitsUnclear(given, guess.splits, unsure);
    const refOf = (meaning: Meaning) => given.columns[meaning] ?? used[meaning]?.ref ?? '';
    const full: Given = {
      ...given,
      columns: Object.fromEntries(MEANINGS.map((meaning) => [meaning, refOf(meaning)])),
      splits: given.splits ?? guess.splits.map(({ ref }) => ref),
    };
    const read = [...usedColumns, ...guess.splits];
    return {
      parameters: shortest(start, full, used, guess, columns),
      why: describe(used, guess, full, start),
      doubts: [],
      leftOut: unread(
        columns.filter((column) => !read.includes(column)),
        guess,
      ),
    };
  }
}

const ask = (
  given: Given,
  code: Warning['code'],
  detail: string,
  answers: readonly { why: string; change: Change }[],
): Question => ({
  code,
  detail,
  given,
  answers: answers.map(({ why, change }) => ({
    why,
    given: {
      ...given,
      ...change,
      columns: { ...given.columns, ...change.columns },
      statusWords: new Map([...(change.statusWords ?? []), ...given.statusWords]),
      chosen: new Set([
        ...given.chosen,
        ...Object.keys(change),
        ...Object.keys(change.columns ?? {}),
      ]),
    },
  })),
});

/** A name with a colon could be read as a shorter name and a value. A number cannot. */
const conditionOf = ({ name, ref, index }: Column, value: string): string =>
  `${name.includes(':') ? `#${index + 1}` : ref}:${value}`;

/** A column that was named before stays. */
const naming = (given: Given, meaning: Meaning, column: Column | undefined): Given =>
  column ? { ...given, columns: { [meaning]: column.ref, ...given.columns } } : given;

/** The columns that are named like a result may be filled later. */
function timesUnclear(
  given: Given,
  columns: readonly Column[],
  guess: Exclude<TimesGuess, { kind: 'times' }>,
): Question {
  const named = columns.filter(
    ({ ref, class: ofName }) => ref !== given.columns.bib && RESULT_CLASSES.has(ofName),
  );
  const isEmpty = guess.kind === 'none' && (guess.isEmpty || columns[0]?.cells.length === 0);
  const isOfDay = guess.kind === 'unclear' && guess.why === 'time_of_day';
  const offered = guess.kind === 'none' ? named : guess.columns.map(({ column }) => column);
  const answers = offered.slice(0, TIME_ANSWERS).map((column) => ({
    why: guess.kind === 'none' ? `${labelOf(column)} is the time` : labelWithExample(column),
    change: { columns: { chipTime: column.ref } },
  }));
  if (isEmpty) {
    const detail = 'The column of the results is empty: the file has no results yet.';
    return ask(given, 'no_results_yet', detail, answers);
  }
  if (isOfDay) {
    const detail = 'The times look like times of day, not like times that a race took.';
    return ask(given, 'time_of_day', detail, answers);
  }
  const detail =
    guess.kind === 'none'
      ? 'No column has times that look like results, and no column has statuses. If a column has times, ' +
        'name it with the parameter chip_time and its format with time_format.'
      : 'No column is clearly the result. Name it with the parameter chip_time or gun_time, by its header ' +
        'or its number, as in #3.';
  return ask(given, 'time_column_unclear', detail, answers);
}

function splitsUnclear(
  given: Given,
  splits: readonly Column[],
  unsure: readonly Column[],
): Question {
  const names = unsure.map(labelOf).join(', ');
  const only = (columns: readonly Column[]) => ({ splits: columns.map(({ ref }) => ref) });
  return ask(
    given,
    'splits_unlikely',
    `These columns have times that may be no splits: ${names}.`,
    [
      {
        why: `${names}: no split`,
        change: only(splits.filter((one) => !unsure.includes(one))),
      },
      { why: `${names}: a split`, change: only(splits) },
    ],
  );
}

const RESULT_CLASSES = new Set<ColumnClass>(['netTime', 'officialTime', 'time']);
const CHIP_TIMES = new Set<ColumnClass>(['netTime', 'time']);

/** A column with the class that a parameter gives it or takes from it. */
function asGiven(
  column: Column,
  { columns: { chipTime, gunTime } }: Parameters,
  chip: Column | undefined,
  gun: Column | undefined,
): Column {
  if (column === chip) return { ...column, class: 'netTime' };
  if (column === gun) return { ...column, class: 'gunTime' };
  const isTaken =
    (chipTime !== undefined && CHIP_TIMES.has(column.class)) ||
    (gunTime !== undefined && column.class === 'gunTime');
  return isTaken ? { ...column, class: 'unknown' } : column;
}

const FEW_HOURS = new Pattern(/^0?[1-9]:\d\d:\d\d/);

/** Chooses between two formats by the other columns: `1:05:00` in a split shows that the file writes hours. */
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

/** The fewest parameters with which an upload reads the sampled rows alike. Those that a person chose are kept. */
function shortest(
  start: FileStart,
  { chosen, ...full }: Given,
  used: Used,
  { splits, leftOut }: SplitsGuess,
  columns: readonly Column[],
): Parameters {
  const matters = new Set([...splits, ...leftOut.map(({ column }) => column)]);
  /** The columns that count, and the results of the sampled rows. The columns may have other cells in other rows. */
  const readWith = (parameters: Parameters): string | undefined => {
    const recognized = recognize(start, parameters);
    if (!recognized) return undefined;
    const firsts = MEANINGS.map((meaning) =>
      recognized[meaning].find((index) => {
        const column = columns[index];
        return column && (column === used[meaning] || isRival(column, meaning));
      }),
    );
    const read = recognized.splitIndexes.flatMap((index) => columns[index] ?? []);
    const ofSplits = read.filter((column) => matters.has(column)).map(({ index }) => index);
    return JSON.stringify([firsts, ofSplits, readingsOf(start, recognized)]);
  };
  const target = readWith(full);
  return (['status', 'gunTime', 'chipTime', 'bib', 'splits'] as const)
    .filter((name) => !chosen.has(name))
    .reduce<Parameters>((shorter, name) => {
      const attempt = without(name, shorter);
      return readWith(attempt) === target ? attempt : shorter;
    }, full);
}

function without(name: Meaning | 'splits', parameters: Parameters): Parameters {
  if (name === 'splits') {
    const { splits: _, ...others } = parameters;
    return others;
  }
  const { [name]: _, ...columns } = parameters.columns;
  return { ...parameters, columns };
}

/** An upload takes the first cell that is a time, so a column of transponder codes does no harm. */
const isRival = (column: Column, meaning: Meaning): boolean =>
  meaning === 'chipTime' || meaning === 'gunTime'
    ? timesIn(column, 'clock').some((ms) => ms !== undefined)
    : filledCells(column).length > 0;

/** The results that an upload reads in the sampled rows; undefined if it would refuse the file. */
function readingsOf({ rows }: FileStart, columns: Columns): unknown[] | undefined {
  try {
    return rows
      .filter(({ cells }) => meets(columns.where, cells))
      .map((row) => readingOf(row, columns));
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

function readingOf(row: CsvRow, columns: Columns): unknown {
  try {
    return judge(toFileRow(columns, row).claim());
  } catch (error) {
    if (error instanceof RowError) return error.code;
    throw error;
  }
}

function describe(
  { bib, chipTime, gunTime, status }: Used,
  { splits, leftOut }: SplitsGuess,
  { where, timeFormat }: Parameters,
  { headerLine, isFirst }: FileStart,
): string {
  const [example = ''] = Object.keys(TIME_FORMATS[timeFormat].examples);
  const parts = [
    headerLine === 0 && 'the file has no header',
    headerLine > 0 && !isFirst && `the header is on line ${headerLine}`,
    bib && `${labelOf(bib)} is the bib`,
    chipTime && `${labelOf(chipTime)} is the time`,
    gunTime && `${labelOf(gunTime)} is the gun time`,
    status && `${labelOf(status)} has the status`,
    timeFormat !== 'clock' && `times are written like ${example}`,
    where.length > 0 && `results are the rows with ${where.join(' and ')}`,
    splits.length > 0 && `splits are ${splits.map(labelOf).join(', ')}`,
    leftOut.length > 0 &&
      `left out: ${leftOut.map(({ column, why }) => `${labelOf(column)}, ${why}`).join('; ')}`,
  ];
  const text = parts.filter(Boolean).join('; ');
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
