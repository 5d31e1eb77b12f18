import {
  type Columns,
  createColumnFinder,
  meets,
  readConditions,
  recognizeColumns,
} from '../read/columns.ts';
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
import { readColumnTimes } from './column-times.ts';
import type { FileStart } from './file-start.ts';
import { guessBib, type KnownBibs } from './guess-bib.ts';
import { guessRows } from './guess-rows.ts';
import { guessSplits, type SplitsGuess, type Unread, unread } from './guess-splits.ts';
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
  leftOut: Unread[];
};

/** Parameters that are decided so far. */
type Given = Parameters & {
  /** The parameters that a person sent or chose. They stay in the query. */
  chosen: ReadonlySet<keyof Parameters | Meaning>;
};

/** A question to a person. */
type Question = Pick<Warning, 'code' | 'detail'> & {
  given: Given;
  answers: { why: string; given: Given }[];
};

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
  const outcome = decide({
    ...(start.isFirst ? {} : { headerLine: start.headerLine }),
    ...sent,
    chosen: new Set([
      ...MEANINGS.filter((meaning) => sent.columns[meaning] !== undefined),
      ...(sent.splits ? (['splits'] as const) : []),
      ...(sent.timeFormat === 'clock' ? [] : (['timeFormat'] as const)),
    ]),
  });
  if (!isQuestion(outcome)) return outcome;
  const { code, detail } = outcome;
  const isFollowed = start.header.length <= FOLLOWED_COLUMNS_MAX;
  const choices = choicesOf(outcome, decide, isFollowed ? CHOICES_MAX : 0);
  const asked = { code, detail: withQueries(detail, choices), rows: [], choices };
  return { parameters: undefined, why: '', doubts: [asked], leftOut: [] };
}

type Decider = (given: Given) => Suggestion | Question;

const isQuestion = (outcome: Suggestion | Question): outcome is Question => 'answers' in outcome;

/**
 * A query for each answer. One that is a part of the parameters leads to the next question.
 * @param room for so many choices; without it no answer is followed
 */
function choicesOf({ answers, given: before }: Question, decide: Decider, room: number): Choice[] {
  if (answers.length === 0) return [{ query: writeQuery(before), why: 'what is clear so far' }];
  if (room === 0) return answers.map(({ why, given }) => ({ query: writeQuery(given), why }));
  return answers.flatMap(({ why, given }) => {
    const outcome = decide(given);
    if (!isQuestion(outcome)) {
      return outcome.parameters ? [{ query: writeQuery(outcome.parameters), why }] : [];
    }
    const share = Math.floor(room / answers.length);
    if (share < outcome.answers.length || outcome.answers.length === 0) {
      return [{ query: writeQuery(outcome.given), why }];
    }
    const choices = choicesOf(outcome, decide, share);
    return choices.map((choice) => ({ ...choice, why: `${why}; ${choice.why}` }));
  });
}

const withQueries = (detail: string, choices: readonly Choice[]): string =>
  `${detail} Add one of: ${choices.map(({ query, why }) => `${query === '' ? '(no parameter)' : `?${query}`} (${why})`).join('; ')}.`;

/** Decides one thing after the other, each on the basis of those before. */
function createDecider(start: FileStart, known: KnownBibs): Decider {
  const find = createColumnFinder(start.header);
  const all = columnsOf(start);
  const indexOf = (given: Given, meaning: Meaning): number =>
    find(given.columns[meaning] ?? '')[0] ?? -1;

  function decide(given: Given): Suggestion | Question {
    const guess = guessBib(all, known);
    const named = all[indexOf(given, 'bib')];
    if (named) return decideRows(given, named);
    if ('column' in guess) return decideRows(naming(given, 'bib', guess.column), guess.column);
    return {
      code: 'bib_column_unclear',
      detail:
        'No column is clearly the bib. Name it with the parameter bib, by its header or its number, as in #3.',
      given,
      answers: guess.choices.slice(0, BIB_ANSWERS).map((column) => ({
        why: labelWithExample(column),
        given: choosing(given, 'bib', column),
      })),
    };
  }

  /** Chooses the rows of results. Rows without a bib, such as sums, and repeated headers are not chosen. */
  function decideRows(given: Given, bib: Column): Suggestion | Question {
    const conditions = readConditions(start.header, given.where);
    const rows = start.rows.filter(({ cells }) => {
      const cell = (cells[bib.index] ?? '').trim();
      return cell !== '' && cell !== bib.name && meets(conditions, cells);
    });
    const columns = rows.length === start.rows.length ? all : columnsOf({ ...start, rows });
    if (conditions.length > 0) return decideTimes(given, columns);
    const guess = guessRows(columns, columns[bib.index] ?? bib);
    if (guess.kind === 'all') return decideTimes(given, columns);
    const only = (value: string): Given => ({
      ...given,
      where: [conditionOf(guess.column, value)],
    });
    if (guess.kind === 'where') return decideRows(only(guess.value), bib);
    return {
      code: 'rows_unclear',
      detail:
        `A runner has several rows, told apart by "${guess.column.name}". Choose the rows of results with the ` +
        'parameter where.',
      given,
      answers: guess.values
        .slice(0, ROW_ANSWERS)
        .map((value) => ({ why: `only rows with ${value}`, given: only(value) })),
    };
  }

  function decideTimes(given: Given, columns: readonly Column[]): Suggestion | Question {
    const guess = timesOf(given, columns);
    if (guess.kind === 'unclear') return timesUnclear(given, guess);
    if (guess.kind === 'none') {
      const isUnknown = columns.some(({ cells }) => cells.length > 0) && !guess.isEmpty;
      return isUnknown && tellsStatus(given, columns)
        ? decideStatus(given, columns, {})
        : noTimes(given, columns, isUnknown);
    }
    return decideFormat(given, columns, guess);
  }

  function decideFormat(
    given: Given,
    columns: readonly Column[],
    guess: Extract<TimesGuess, { kind: 'times' }>,
  ): Suggestion | Question {
    const { chip, gun, formats } = guess;
    const times = naming(naming(given, 'chipTime', chip), 'gunTime', gun);
    const finish = chip ?? gun;
    const possible = given.chosen.has('timeFormat')
      ? [given.timeFormat]
      : narrowed(formats, columns, finish);
    const [format = 'clock', other] = possible;
    if (other === undefined) return decideStatus({ ...times, timeFormat: format }, columns, guess);
    const [example = ''] = finish ? filledCells(finish) : [];
    const chosen = new Set([...times.chosen, 'timeFormat' as const]);
    const answers = possible.map((one) => ({
      why: readsAs(example, one),
      given: { ...times, timeFormat: one, chosen },
    }));
    return {
      code: 'time_format_unclear',
      detail: `The times can be read in ${possible.length === 2 ? 'two' : possible.length} ways: ${answers.map(({ why }) => why).join(', or ')}.`,
      given: times,
      answers,
    };
  }

  /** The columns of the times: those that parameters name, and guesses for the others. */
  function timesOf(given: Given, columns: readonly Column[]): TimesGuess {
    const [bib, chipIndex, gunIndex] = [
      indexOf(given, 'bib'),
      indexOf(given, 'chipTime'),
      indexOf(given, 'gunTime'),
    ];
    const [chip, gun] = [columns[chipIndex], columns[gunIndex]];
    const others = columns.filter(({ index }) => index !== bib);
    const guess = guessTimes(
      others.map((column) => asGiven(column, given, chip, gun)),
      others.find(({ class: ofName }) => ofName === 'place'),
    );
    if (given.columns.gunTime?.trim() === '' && guess.kind === 'times' && guess.chip) {
      return { kind: 'times', chip: guess.chip, formats: guess.formats };
    }
    const sure = chip ?? gun;
    const isMet = guess.kind === 'times' && (!chip || guess.chip?.index === chip.index);
    if (!sure || isMet) return guess;
    return {
      kind: 'times',
      formats: formatsOf(sure),
      ...(chip ? { chip } : {}),
      ...(gun ? { gun } : {}),
    };
  }

  /** The columns that are named like a result may be filled later. */
  function noTimes(given: Given, columns: readonly Column[], isUnknown: boolean): Question {
    const bib = indexOf(given, 'bib');
    const named = columns.filter(
      ({ index, class: ofName }) => index !== bib && RESULT_CLASSES.has(ofName),
    );
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
      given,
      answers: named.slice(0, TIME_ANSWERS).map((column) => ({
        why: `${labelOf(column)} is the time`,
        given: choosing(given, 'chipTime', column),
      })),
    };
  }

  function statusesOf(given: Given, columns: readonly Column[], times: readonly Column[]) {
    const bib = indexOf(given, 'bib');
    const isNone = given.columns.status?.trim() === '';
    return guessStatuses(
      columns.filter(({ index }) => index !== bib),
      times,
      given,
      isNone ? null : columns[indexOf(given, 'status')],
    );
  }

  /** Whether a column tells statuses, so that a file without times has results. */
  function tellsStatus(given: Given, columns: readonly Column[]): boolean {
    const guess = statusesOf(given, columns, []);
    const isFound = guess.kind === 'unclear' || guess.reading.column !== undefined;
    return isFound && given.columns.status !== '';
  }

  function decideStatus(
    given: Given,
    columns: readonly Column[],
    { chip, gun }: { chip?: Column; gun?: Column },
  ): Suggestion | Question {
    const own = (column: Column | undefined) => column && columns[column.index];
    const times = { chip: own(chip), gun: own(gun) };
    const used = [times.chip, times.gun].filter((column) => column !== undefined);
    const guess = statusesOf(given, columns, used);
    if (guess.kind === 'sure') return build(given, columns, { ...times, status: guess.reading });
    return {
      code: 'status_unclear',
      detail: guess.detail,
      given,
      answers: guess.readings.map(({ why, column, words }) => ({
        why,
        given: {
          ...given,
          columns: { ...given.columns, status: column?.ref ?? '' },
          statusWords: new Map([...words, ...given.statusWords]),
        },
      })),
    };
  }

  function build(
    given: Given,
    columns: readonly Column[],
    { chip, gun, status }: Record<'chip' | 'gun', Column | undefined> & { status: StatusReading },
  ): Suggestion | Question {
    const meanings = {
      bib: columns[indexOf(given, 'bib')],
      chipTime: chip,
      gunTime: gun,
      status: columns[indexOf(given, 'status')] ?? status.column,
    };
    const used = Object.values(meanings).filter((column) => column !== undefined);
    const guess = guessSplits(columns, used, chip ?? gun, given.timeFormat);
    if (guess.unsure.length > 0 && !given.splits) return splitsUnclear(given, guess);
    const refOf = (meaning: Meaning) => given.columns[meaning] ?? meanings[meaning]?.ref ?? '';
    const { chosen, ...decided } = given;
    const full: Parameters = {
      ...decided,
      columns: Object.fromEntries(MEANINGS.map((meaning) => [meaning, refOf(meaning)])),
      splits: given.splits ?? guess.splits.map(({ ref }) => ref),
      statusWords: new Map([...status.words, ...given.statusWords]),
    };
    const read = [...used, ...guess.splits];
    return {
      parameters: shortest({ ...full, chosen }, columns, meanings, guess),
      why: describe(meanings, guess, full, start),
      doubts: [],
      leftOut: unread(
        columns.filter((column) => !read.includes(column)),
        guess,
      ),
    };
  }

  /** The fewest parameters with which an upload reads the sampled rows alike. Those that a person chose are kept. */
  function shortest(
    { chosen, ...full }: Given,
    columns: readonly Column[],
    meanings: Record<Meaning, Column | undefined>,
    { splits, leftOut }: SplitsGuess,
  ): Parameters {
    const wanted = [...splits, ...leftOut.map(({ column }) => column)].map(({ index }) => index);
    /** The first column of each meaning that is filled, and the splits that matter. */
    const outlineOf = (recognized: Columns): string => {
      const firsts = MEANINGS.map((meaning) =>
        recognized[meaning].find((index) => {
          const column = columns[index];
          return column === meanings[meaning] || (column && isRival(column, meaning));
        }),
      );
      const read = recognized.splitIndexes.filter((index) => wanted.includes(index));
      return JSON.stringify([firsts, read]);
    };
    const readWith = (parameters: Parameters) => {
      const recognized = recognize(start, parameters);
      return recognized && { recognized, outline: outlineOf(recognized) };
    };
    const target = readWith(full);
    const rows = target && readingsOf(start, target.recognized);
    let shorter: Parameters = full;
    const attempt = (parameters: Parameters) => {
      const read = readWith(parameters);
      if (!read || read.outline !== target?.outline) return;
      if (readingsOf(start, read.recognized) === rows) shorter = parameters;
    };
    for (const meaning of ['status', 'gunTime', 'chipTime', 'bib'] as const) {
      if (chosen.has(meaning)) continue;
      const { [meaning]: _, ...others } = shorter.columns;
      attempt({ ...shorter, columns: others });
    }
    if (chosen.has('splits')) return shorter;
    const { splits: _, ...others } = shorter;
    attempt(others);
    return shorter;
  }

  return decide;
}

/** A name with a colon could be read as a shorter name and a value. A number cannot. */
const conditionOf = ({ name, ref, index }: Column, value: string): string =>
  `${name.includes(':') ? `#${index + 1}` : ref}:${value}`;

/** A column that was named before stays. */
const naming = (given: Given, meaning: Meaning, column: Column | undefined): Given =>
  column ? { ...given, columns: { [meaning]: column.ref, ...given.columns } } : given;

const choosing = (given: Given, meaning: Meaning, column: Column): Given => ({
  ...naming(given, meaning, column),
  chosen: new Set([...given.chosen, meaning]),
});

/** An upload takes the first cell that is a time, so a column of transponder codes does no harm. */
const isRival = (column: Column, meaning: Meaning): boolean =>
  meaning === 'chipTime' || meaning === 'gunTime'
    ? timesIn(column, 'clock').some((ms) => ms !== undefined)
    : filledCells(column).length > 0;

/** The columns as an upload recognizes them; undefined if it would refuse the file. */
export function recognize(
  { header, headerLine }: FileStart,
  parameters: Parameters,
): Columns | undefined {
  try {
    return recognizeColumns(header, headerLine === 0 ? { ...parameters, headerLine } : parameters);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** The results that an upload reads in the sampled rows; undefined if it would refuse the file. */
function readingsOf({ rows }: FileStart, columns: Columns): string | undefined {
  try {
    return JSON.stringify(
      rows.filter(({ cells }) => meets(columns.where, cells)).map((row) => readingOf(row, columns)),
    );
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

function readingOf(row: CsvRow, columns: Columns): unknown {
  try {
    return judge(toFileRow(columns, row, '').claim());
  } catch (error) {
    if (error instanceof RowError) return error.code;
    throw error;
  }
}

function splitsUnclear(given: Given, { splits, unsure }: SplitsGuess): Question {
  const names = unsure.map(labelOf).join(', ');
  const chosen = new Set([...given.chosen, 'splits' as const]);
  const only = (columns: readonly Column[]) => columns.map(({ ref }) => ref);
  return {
    code: 'splits_unlikely',
    detail: `These columns have times that may be no splits: ${names}.`,
    given,
    answers: [
      {
        why: `${names}: no split`,
        given: { ...given, chosen, splits: only(splits.filter((one) => !unsure.includes(one))) },
      },
      { why: `${names}: a split`, given: { ...given, chosen, splits: only(splits) } },
    ],
  };
}

function timesUnclear(
  given: Given,
  { why, columns }: Extract<TimesGuess, { kind: 'unclear' }>,
): Question {
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
    given,
    answers: columns.slice(0, TIME_ANSWERS).map(({ column }) => ({
      why: labelWithExample(column),
      given: choosing(given, 'chipTime', column),
    })),
  };
}

function formatsOf(column: Column): readonly TimeFormat[] {
  const times = readColumnTimes(column);
  if (times.kind === 'unclear') return times.formats;
  return [times.kind === 'times' ? times.format : 'clock'];
}

/** A column with the class that a parameter gives it or takes from it. */
function asGiven(
  column: Column,
  given: Parameters,
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
      column.index !== finish?.index &&
      column.class !== 'noResult' &&
      filledCells(column).some((cell) => FEW_HOURS.test(cell)),
  );
  return hasHours ? ['clock'] : formats;
}

function describe(
  { bib, chipTime, gunTime, status }: Record<Meaning, Column | undefined>,
  { splits, leftOut }: SplitsGuess,
  { where, timeFormat }: Parameters,
  { headerLine, isFirst }: FileStart,
): string {
  const parts = [
    headerLine === 0 ? 'the file has no header' : '',
    headerLine > 0 && !isFirst ? `the header is on line ${headerLine}` : '',
    bib ? `${labelOf(bib)} is the bib` : '',
    chipTime ? `${labelOf(chipTime)} is the time` : '',
    gunTime ? `${labelOf(gunTime)} is the gun time` : '',
    status ? `${labelOf(status)} has the status` : '',
    timeFormat === 'clock'
      ? ''
      : `times are written like ${Object.keys(TIME_FORMATS[timeFormat].examples)[0]}`,
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
