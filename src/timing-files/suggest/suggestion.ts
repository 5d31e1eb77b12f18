import { MEANINGS, type Meaning, type Parameters, writeQuery } from '../read/parameters.ts';
import { quoted } from '../read/text.ts';
import { parseTime, TIME_FORMATS, type TimeFormat } from '../read/time-formats.ts';
import type { KnownBibs } from './bib-forms.ts';
import { type Column, columnsOf, filledCells, timesIn } from './column.ts';
import { type FileStart, recognize } from './file-start.ts';
import {
  combinationsOf,
  DIMENSIONS,
  type Dimension,
  exampleOf,
  type Reading,
  read,
  rowsOf,
} from './readings.ts';
import type { LeftOut } from './split-columns.ts';
import type { Choice, Warning, WarningCode } from './warning.ts';

/** The suggested parameters. */
export type Suggestion = {
  /** Undefined if a person has to decide. `doubts` then has the choices. */
  parameters: Parameters | undefined;
  why: string;
  doubts: Warning[];
  /** Columns with times or statuses that are not read. */
  leftOut: readonly LeftOut[];
};

const CHOICES_MAX = 12;
/** Choices with an alarm. */
const ALARMED_MAX = 4;

/**
 * Suggests the parameters with which a file loads right: those of the one reading that nothing speaks against. If
 * there are several that store different results, or none, a person decides.
 * @param sent parameters that a person has decided already. They are kept
 * @param known bibs of the event among the texts of the file
 * @yields between two readings, because each of them takes some milliseconds
 */
export function* suggest(
  start: FileStart,
  sent: Parameters,
  known: KnownBibs = new Map(),
): Generator<undefined, Suggestion> {
  const columns = columnsOf(start);
  const pending = noResultsYet(columns, sent);
  const hasTimes = columns.some((one) =>
    timesIn(one, 'apostrophes').some((ms) => ms !== undefined),
  );
  if (pending && !hasTimes) return pending;
  const sentQuery = writeQuery(sent);
  const readings: Reading[] = [];
  const doubtful: Reading[] = [];
  for (const combinations of combinationsOf(start, sent, known)) {
    const alike: Reading[] = [];
    for (const combination of combinations) {
      const reading = read(start, sent, known, combination);
      if (reading) alike.push(reading);
      yield;
    }
    readings.push(...alike);
    const chosen = alike.find(
      (reading) => sentQuery !== '' && shortened(start, reading, sent, []) === sentQuery,
    );
    if (chosen) return suggested(start, chosen, sent);
    const able = different(alike.filter((one) => !isRefuted(one)));
    const clear = able.filter((one) => one.alarms.length + one.guesses.length === 0);
    const [only, second] = clear;
    if (only && !second && doubtful.length === 0) return suggested(start, only, sent);
    if (only) return asked(start, [...clear, ...doubtful.slice(0, 1)], sent);
    doubtful.push(...able.filter((one) => one.guesses.length === 0));
  }
  const least = leastAlarming(readings);
  if (least.length > 0) return asked(start, least, sent);
  return pending ?? unreadable(columns, readings);
}

/** Whether nothing that the reading stores can be a result. */
const isRefuted = ({ alarms }: Reading): boolean =>
  alarms.some(({ against }) => against === Number.POSITIVE_INFINITY);

const against = ({ alarms }: Reading): number =>
  alarms.reduce((sum, alarm) => sum + alarm.against, 0);

/** The first of the readings that store the same. */
const different = (readings: readonly Reading[]): Reading[] =>
  [...new Map(readings.toReversed().map((one) => [one.stored, one])).values()].toReversed();

/** The readings that least speaks against, and the likeliest as it stands. */
function leastAlarming(readings: readonly Reading[]): Reading[] {
  const able = different(readings.filter((one) => !isRefuted(one)));
  const [likeliest] = able;
  const sorted = able.toSorted(
    (one, other) => against(one) - against(other) || one.penalty - other.penalty,
  );
  const [best] = sorted;
  if (!likeliest || !best) return [];
  const isClear = best.alarms.length === 0;
  const alike = sorted.filter((one) => one.penalty === best.penalty && one.alarms.length === 0);
  return isClear && best.guesses.length > 0
    ? alike.slice(0, CHOICES_MAX)
    : [...new Set([...sorted.slice(0, ALARMED_MAX), likeliest])];
}

function suggested(start: FileStart, reading: Reading, sent: Parameters): Suggestion {
  return {
    parameters: shortest(start, reading, sent, []),
    why: describe(reading, start),
    doubts: [],
    leftOut: reading.leftOut,
  };
}

/** The question, with what differs between the readings as its words. */
function asked(start: FileStart, choices: readonly Reading[], sent: Parameters): Suggestion {
  const [first] = choices;
  if (!first) throw new Error('A question needs choices.');
  const differing = DIMENSIONS.filter(
    (name) => new Set(choices.map((one) => keyOf(one, name))).size > 1,
  );
  const dimensions = differing.length > 0 ? differing : first.guesses;
  const [main] = dimensions;
  const [alarm] = first.alarms;
  const code = main ? QUESTIONS[main] : (alarm?.code ?? 'time_column_unclear');
  const words = [
    ...(main ? [detailOf(main, choices)] : []),
    ...(choices.every((one) => one.alarms.length > 0) ? (alarm ? [alarm.detail] : []) : []),
  ];
  const doubt: Warning = {
    code,
    detail: words.join(' '),
    rows: alarm?.rows ?? [],
    choices: unique(
      choices.slice(0, CHOICES_MAX).map((one) => ({
        // A query that is not empty can be told from no choice.
        query: shortened(start, one, sent, main ? dimensions : ['times']),
        why: whyOf(one, dimensions, choices),
      })),
    ),
  };
  return { parameters: undefined, why: '', doubts: [doubt], leftOut: [] };
}

const unique = (choices: readonly Choice[]): Choice[] => [
  ...new Map(choices.map((one) => [one.query, one])).values(),
];

const QUESTIONS: Record<Dimension, WarningCode> = {
  bib: 'bib_column_unclear',
  rows: 'rows_unclear',
  times: 'time_column_unclear',
  format: 'time_format_unclear',
  status: 'status_unclear',
  splits: 'splits_unlikely',
};

/** What is chosen in a reading, as a text to compare. */
function keyOf({ choices }: Reading, name: Dimension): string {
  const { bib, rows, times, format, status, splits } = choices;
  switch (name) {
    case 'bib':
      return bib.ref;
    case 'rows':
      return `${rows?.column.ref} ${rows?.value}`;
    case 'times':
      return `${times.chip?.ref} ${times.gun?.ref}`;
    case 'format':
      return format;
    case 'status':
      return `${status.column?.ref} ${status.guessed.join()}`;
    case 'splits':
      return splits.map(({ ref }) => ref).join();
  }
}

function detailOf(name: Dimension, choices: readonly Reading[]): string {
  const [first] = choices;
  switch (name) {
    case 'bib':
      return 'No column is clearly the bib.';
    case 'rows':
      return `A runner has several rows, told apart by ${labelOf(first?.choices.rows?.column)}.`;
    case 'times':
      return 'No column is clearly the result.';
    case 'format':
      return 'The times can be read in several ways.';
    case 'status': {
      const guessed = choices.flatMap(({ choices: { status } }) => status.guessed);
      const words = [...new Set(guessed.map(([word]) => quoted(word)))].slice(0, 8).join(', ');
      const column = choices.find((one) => one.choices.status.column)?.choices.status.column;
      const where = column ? ` in the column ${labelOf(column)}` : '';
      return words === ''
        ? `It is unclear whether the cells${where} are statuses.`
        : `These cells${where} have an unknown meaning: ${words}.`;
    }
    case 'splits':
      return `Some columns have times that may be no splits: ${unsureNames(choices)}.`;
  }
}

/** The columns that are splits in some of the readings. */
function unsureNames(choices: readonly Reading[]): string {
  const lists = choices.map((one) => one.choices.splits);
  const all = [...new Set(lists.flat())];
  return all
    .filter((one) => !lists.every((list) => list.includes(one)))
    .map(labelOf)
    .join(', ');
}

/** What a choice means, and what speaks against it. */
function whyOf(
  reading: Reading,
  dimensions: readonly Dimension[],
  choices: readonly Reading[],
): string {
  const parts = dimensions.map((name) => wordsOf(reading, name, choices));
  const [alarm] = reading.alarms;
  const words = parts.filter((part) => part !== '').join('; ') || 'as it stands';
  return alarm ? `${words}, although: ${alarm.detail}` : words;
}

function wordsOf({ choices, columns }: Reading, name: Dimension, all: readonly Reading[]): string {
  const { bib, rows, times, format, status, splits } = choices;
  switch (name) {
    case 'bib':
      return withExample(columns[bib.index] ?? bib);
    case 'rows':
      return rows ? `only rows with ${rows.value}` : 'all rows';
    case 'times': {
      const { chip, gun } = times;
      if (!chip && !gun) return 'no column has times';
      const words = [
        chip && `${withExample(chip)}, is the time`,
        gun && `${withExample(gun)}, is the gun time`,
      ];
      return words.filter(Boolean).join('; ');
    }
    case 'format': {
      const formats = [...new Set(all.map((one) => one.choices.format))];
      return readsAs(exampleOf(times, formats), format);
    }
    case 'status': {
      const { column, guessed } = status;
      if (guessed.length > 0) return guessed.map(([word, one]) => `${word} is ${one}`).join(', ');
      return column ? `${labelOf(column)} has the status` : 'no column has the status';
    }
    case 'splits': {
      const lists = all.map((one) => one.choices.splits);
      const unsure = [...new Set(lists.flat())].filter(
        (one) => !lists.every((list) => list.includes(one)),
      );
      const parts = unsure.map(
        (one) => `${labelOf(one)} is ${splits.includes(one) ? 'a' : 'no'} split`,
      );
      return parts.join(', ');
    }
  }
}

/** No column can hold a result. Says why, for each column with times. */
function unreadable(columns: readonly Column[], readings: readonly Reading[]): Suggestion {
  const details = readings.flatMap(({ alarms }) =>
    alarms.filter(({ against: rows }) => rows === Number.POSITIVE_INFINITY),
  );
  const [first] = details;
  const cells = unreadCells(columns);
  const words = [
    'No column has the times that the race took, and no column has statuses.',
    ...new Set(details.map(({ detail }) => detail)),
    ...cells,
  ];
  const doubt: Warning = {
    code: first?.code ?? 'time_column_unclear',
    detail: words.slice(0, 4).join(' '),
    rows: first?.rows ?? [],
    choices: [],
  };
  return { parameters: undefined, why: '', doubts: [doubt], leftOut: [] };
}

const RESULTS = new Set(['netTime', 'gunTime', 'officialTime', 'time']);

/** The first cell of each column that is named like a result and has none that can be read. */
const unreadCells = (columns: readonly Column[]): string[] =>
  columns
    .filter((column) => RESULTS.has(column.class))
    .flatMap((column) => {
      const cell = filledCells(column).find(
        (_, at) => timesIn(column, 'apostrophes')[at] === undefined,
      );
      return cell === undefined
        ? []
        : [`${quoted(cell)} in the column ${labelOf(column)} is no time that can be read.`];
    });

/** A file whose column of results is empty so far. */
function noResultsYet(columns: readonly Column[], sent: Parameters): Suggestion | undefined {
  const named = columns.filter((one) => RESULTS.has(one.class) && one.class !== 'gunTime');
  const empty = named.filter((one) => filledCells(one).length === 0);
  const isSent = sent.columns.chipTime !== undefined || sent.columns.gunTime !== undefined;
  if (isSent || empty.length === 0) return undefined;
  const choices = empty.slice(0, ALARMED_MAX).map((column) => ({
    query: writeQuery({ ...sent, columns: { ...sent.columns, chipTime: column.ref } }),
    why: `${labelOf(column)} is the time`,
  }));
  const detail = 'The column of the results is empty: the file has no results yet.';
  const doubt: Warning = { code: 'no_results_yet', detail, rows: [], choices };
  return { parameters: undefined, why: '', doubts: [doubt], leftOut: [] };
}

const PARAMETERS: Record<Dimension, readonly (Meaning | 'splits')[]> = {
  bib: ['bib'],
  rows: [],
  times: ['chipTime', 'gunTime'],
  format: ['chipTime', 'gunTime'],
  status: ['status'],
  splits: ['splits'],
};
const LEAVABLE = ['status', 'gunTime', 'chipTime', 'bib', 'splits'] as const;
/** So many cells show whether a parameter matters. */
const CELLS_MAX = 20_000;

const shortened = (
  start: FileStart,
  reading: Reading,
  sent: Parameters,
  told: readonly Dimension[],
): string => writeQuery(shortest(start, reading, sent, told));

/**
 * The fewest parameters with which an upload reads the sampled rows alike. Those that a person sent are kept, and so are
 * those that tell a choice from the others: a choice that is sent again is not asked again.
 */
function shortest(
  start: FileStart,
  { parameters, choices, leftOut, columns }: Reading,
  sent: Parameters,
  told: readonly Dimension[],
): Parameters {
  const most = Math.ceil(CELLS_MAX / Math.max(start.header.length, 1));
  const matters = new Set(
    [...choices.splits, ...leftOut.map(({ column }) => column)].map(({ index }) => index),
  );
  const used: Record<Meaning, Column | undefined> = {
    bib: choices.bib,
    chipTime: choices.times.chip,
    gunTime: choices.times.gun,
    status: choices.status.column,
  };
  /** The columns that count, and the results of the sampled rows. The columns may have other cells in other rows. */
  const readWith = (shorter: Parameters): string | undefined => {
    const recognized = recognize(start, shorter);
    const rows = recognized && rowsOf(start, recognized, most);
    if (!rows) return undefined;
    const firsts = MEANINGS.map((meaning) =>
      recognized[meaning].find((index) => {
        const column = columns[index];
        return column && (index === used[meaning]?.index || isRival(column, meaning));
      }),
    );
    const splits = recognized.splitIndexes.filter((index) => matters.has(index));
    return JSON.stringify([firsts, splits, rows.map(({ judged }) => judged)]);
  };
  const kept = new Set<string>([
    ...Object.keys(sent.columns),
    ...(sent.splits ? ['splits'] : []),
    ...told.flatMap((name) => PARAMETERS[name]),
  ]);
  const target = readWith(parameters);
  return LEAVABLE.filter((name) => !kept.has(name)).reduce<Parameters>((shorter, name) => {
    const attempt = without(name, shorter);
    return readWith(attempt) === target ? attempt : shorter;
  }, parameters);
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

function describe(
  { choices, leftOut, parameters: { timeFormat, where } }: Reading,
  { headerLine, isFirst }: FileStart,
): string {
  const { bib, times, status, splits } = choices;
  const [example = ''] = Object.keys(TIME_FORMATS[timeFormat].examples);
  const parts = [
    headerLine === 0 && 'the file has no header',
    headerLine > 0 && !isFirst && `the header is on line ${headerLine}`,
    `${labelOf(bib)} is the bib`,
    times.chip && `${labelOf(times.chip)} is the time`,
    times.gun && `${labelOf(times.gun)} is the gun time`,
    status.column && `${labelOf(status.column)} has the status`,
    timeFormat !== 'clock' && `times are written like ${example}`,
    where.length > 0 && `results are the rows with ${where.join(' and ')}`,
    splits.length > 0 && `splits are ${splits.map(labelOf).join(', ')}`,
    leftOut.length > 0 &&
      `left out: ${leftOut.map(({ column, why }) => `${labelOf(column)}, ${why}`).join('; ')}`,
  ];
  const text = parts.filter(Boolean).join('; ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

const labelOf = (column: Column | undefined): string =>
  !column || column.name === '' ? `column ${column?.ref}` : `"${column.name}"`;

const withExample = (column: Column): string =>
  `${labelOf(column)}, as in ${filledCells(column)[0] ?? ''}`;

function readsAs(example: string, format: TimeFormat): string {
  const timeMs = parseTime(format, example);
  if (timeMs === undefined) return format;
  const [hours, minutes, seconds] = [3_600_000, 60_000, 1_000].map((unit) =>
    Math.floor(timeMs / unit),
  );
  const parts = [`${hours} h`, `${(minutes ?? 0) % 60} min`, `${(seconds ?? 0) % 60} s`];
  return `${example} is ${parts.filter((part) => !part.startsWith('0 ')).join(' ')}`;
}
