import {
  type Column,
  distinct,
  filledCells,
  hasTimes,
  isNamedResult,
  timesIn,
  unreadResults,
} from '../columns/column.ts';
import { certainMeaning, classify } from '../columns/column-classes.ts';
import { formatsIn, OF_NUMBERS, partsOfTime } from '../columns/column-times.ts';
import type { LeftOut } from '../columns/split-columns.ts';
import type { KnownBibs } from '../judge/judge.ts';
import { worded } from '../judge/sentences.ts';
import { type Choice, REFUTED, type Warning } from '../judge/warning.ts';
import {
  MEANINGS,
  type Meaning,
  type Parameters,
  saysNothing,
  writeQuery,
} from '../read/parameters.ts';
import { RowError } from '../read/reason-codes.ts';
import type { Result } from '../read/result.ts';
import { quoted } from '../read/text.ts';
import { TIME_FORMATS } from '../read/time-formats.ts';
import { ownFile } from '../write/own-files.ts';
import { type FileStart, recognize } from './file-start.ts';
import { type Choices, labelOf } from './question.ts';
import { read, rowsOf } from './reading.ts';
import {
  askedOf,
  combinationsOf,
  DIMENSIONS,
  type Dimension,
  mayHaveBibs,
  QUESTIONS,
  type Reading,
} from './readings.ts';

/** The suggested parameters. */
export type Suggestion = {
  /** Undefined if a person has to decide. `doubts` then has the choices. */
  parameters: Parameters | undefined;
  why: string;
  doubts: Warning[];
  /** Skipped columns with times or statuses. */
  leftOut: readonly LeftOut[];
};

const CHOICES_MAX = 12;
/** Choices with an alarm. */
const ALARMED_MAX = 4;

/**
 * Suggests the parameters with which a file loads right: the parameters of the only reading without an argument against
 * it. If several such readings store different results, or no such reading exists, a person decides.
 * @param sent parameters already decided by a person. They are kept
 * @param known bibs of the event among the texts of the file
 * @yields between two readings, because each reading takes some milliseconds
 */
export function* suggest(
  start: FileStart,
  sent: Parameters,
  known: KnownBibs = new Map(),
): Generator<undefined, Suggestion> {
  const own = ofOwnExport(start, sent);
  if (own) return own;
  if (sent.timesOfDay) return ofTimesOfDay(start, sent);
  const asked = askedOf(start, sent, known);
  const { columns } = asked;
  const pending = noResultsYet(columns, sent);
  if (pending && !columns.some((one) => hasTimes(one, 'apostrophes'))) return pending;
  // The remaining times belong to runners on the course.
  if (pending && hasOnlyEmptyResults(columns)) return question({ ...NO_RESULTS_YET, choices: [] });
  const readings: Reading[] = [];
  const doubtful: Reading[] = [];
  if (!mayHaveBibs(asked)) return pending ?? question(NO_BIBS);
  for (const combinations of yield* combinationsOf(asked)) {
    const alike: Reading[] = [];
    for (const combination of combinations) {
      const stored = read(asked, combination.choices);
      if (stored) alike.push({ ...combination, ...stored });
      yield;
    }
    readings.push(...alike);
    const decision = decide(start, alike, doubtful, sent);
    if (decision) return decision;
    doubtful.push(...different(alike.filter(isAble)));
  }
  const least = leastAlarming(readings, sent);
  if (least.length > 0) return ask(start, least, sent);
  return pending ?? unreadable(columns, readings);
}

/** Times of day do not reveal the meaning of a column: their sender names the columns. */
const ofTimesOfDay = (start: FileStart, sent: Parameters): Suggestion =>
  recognize(start, sent)
    ? { parameters: sent, why: 'The times of day are read as sent.', doubts: [], leftOut: [] }
    : question({
        ...worded('time_column_unclear:moments', {}),
        rows: [],
        choices: [],
      });

const isAble = (one: Reading): boolean => !isRefuted(one) && one.guesses.length === 0;

/** The suggestion or the question about the readings of a penalty, if some reading has no argument against it. */
function decide(
  start: FileStart,
  alike: readonly Reading[],
  doubtful: readonly Reading[],
  sent: Parameters,
): Suggestion | undefined {
  const chosen = alike.find((reading) => isSentAgain(start, reading, sent));
  if (chosen) return suggested(start, chosen, sent);
  const able = alike.filter(isAble);
  const isOpen = saysNothing(sent);
  const clear = different(
    able.filter((one) => one.alarms.length === 0 && (one.isStoring || !isOpen)),
  );
  const [only, second] = clear;
  if (!only || !clear.some((one) => followsNames(one, sent))) return undefined;
  // The distance refutes a format of times, as that of 38:12:58 for ten kilometres.
  const open = doubtful.filter(
    ({ alarms }) => !alarms.some(({ code }) => code === 'implausible_for_distance'),
  );
  return !second && open.length === 0
    ? suggested(start, only, sent)
    : ask(start, [...clear, ...open.slice(0, 1), ...able.filter(isAnswer)], sent);
}

/** Whether the reading is the choice sent by a person. */
const isSentAgain = (start: FileStart, reading: Reading, sent: Parameters): boolean =>
  !saysNothing(sent) && shortened(start, reading, sent, []) === writeQuery(sent);

/** Whether a reading is an answer despite its alarm: a time as written, or a column of remarks alone. */
const isAnswer = ({ alarms, choices: { status } }: Reading): boolean =>
  status.ignored !== undefined || alarms.some(({ code }) => code === 'placeholder_time');

/** Our own export needs no parameters, unless a person has put title lines above or paces beside. */
function ofOwnExport(
  { header, headerLine, isFirst }: FileStart,
  sent: Parameters,
): Suggestion | undefined {
  const own = ownFile(header);
  if (own !== 'results' && own !== 'passings') return undefined;
  const why = `The file is an export of ${own} of this service, which is read as it was written.`;
  const beside = sent.splits ? [] : header.filter((name) => classify(name) === 'noResult');
  const parameters = {
    ...(isFirst ? {} : { headerLine }),
    ...sent,
    ignore: distinct([...sent.ignore, ...beside]),
  };
  return { parameters, why, doubts: [], leftOut: [] };
}

/** Whether every stored row of the reading must be wrong: a finding says so, or two findings doubt every time. */
const isRefuted = ({ alarms, timed }: Reading): boolean =>
  alarms.some(({ against }) => against === REFUTED) ||
  alarms.filter(({ against }) => timed > 0 && against >= timed).length > 1;

/** Whether a finding doubts half of the stored times of the reading. */
const isGrave = ({ alarms, timed }: Reading): boolean =>
  alarms.some(({ against }) => timed > 0 && against >= timed / 2);

const against = ({ alarms }: Reading): number =>
  alarms.reduce((sum, alarm) => sum + alarm.against, 0);

/** The first of the readings with equal stored results. */
const different = (readings: readonly Reading[]): Reading[] =>
  [...new Map(readings.toReversed().map((one) => [one.stored, one])).values()].toReversed();

/**
 * Whether a reading follows the name of each column with an unambiguous name. Cells do not overrule such a name, but a
 * person does.
 */
function followsNames({ choices }: Reading, { columns: sent }: Parameters): boolean {
  const { bib, times, columns } = choices;
  const used = { bib, chipTime: times.chip, gunTime: times.gun };
  return MEANINGS.every((meaning) => {
    if (meaning === 'status' || sent[meaning] !== undefined) return true;
    const column = used[meaning];
    const named = columns.filter(
      (one) => certainMeaning(one.name) === meaning && (meaning === 'bib' || !isEmpty(one)),
    );
    const isNamed = named.length === 0 || named.some(({ index }) => index === column?.index);
    const other = column && certainMeaning(column.name);
    const isOfPoint = column?.class === 'lap' || column?.class === 'split';
    // Without a gun time, the column with a gun time's name is left out, and a warning says so.
    const isFree = meaning === 'gunTime' && column === undefined;
    return (
      (isNamed || isFree) && (other ?? meaning) === meaning && !(isOfPoint && named.length > 0)
    );
  });
}

/**
 * The readings with the weakest arguments against them, the likeliest in the present order, and the likeliest that
 * follows the names.
 */
function leastAlarming(readings: readonly Reading[], sent: Parameters): Reading[] {
  const able = different(readings.filter((one) => !isRefuted(one) && one.isStoring));
  const [likeliest] = able;
  const sorted = able.toSorted(
    (one, other) => against(one) - against(other) || one.penalty - other.penalty,
  );
  const [best] = sorted;
  if (!likeliest || !best) return [];
  const isClear = best.alarms.length === 0;
  const alike = sorted.filter((one) => one.penalty === best.penalty && one.alarms.length === 0);
  const all =
    isClear && best.guesses.length > 0
      ? [...(likeliest.penalty < best.penalty ? [likeliest] : []), ...alike.slice(0, CHOICES_MAX)]
      : [...new Set([...sorted.slice(0, ALARMED_MAX), likeliest])];
  const named = able.filter((one) => followsNames(one, sent)).slice(0, 1);
  return all.some((one) => followsNames(one, sent)) ? all : [...named, ...all];
}

function suggested(start: FileStart, reading: Reading, sent: Parameters): Suggestion {
  return {
    parameters: shortest(start, reading, sent, []),
    why: describe(reading, start),
    doubts: [],
    leftOut: reading.choices.leftOut,
  };
}

/**
 * The question, with the differences between the readings as its words. A reading with a grave alarm is no choice,
 * unless only this reading follows the names.
 */
function ask(start: FileStart, some: readonly Reading[], sent: Parameters): Suggestion {
  const follows = (one: Reading) => followsNames(one, sent);
  const able = some.filter((one) => !isGrave(one));
  const named = able.some(follows) ? [] : some.filter(follows).slice(0, 1);
  const readings = able.length > 0 ? [...named, ...able] : some;
  const [first] = readings;
  if (!first) throw new Error('A question needs choices.');
  const all = readings.map(({ choices }) => choices);
  const differing = DIMENSIONS.filter((name) => new Set(all.map(QUESTIONS[name].key)).size > 1);
  const dimensions = differing.length > 0 ? differing : first.guesses;
  const [main] = dimensions.map((name) => QUESTIONS[name]);
  const areTold = dimensions.some((name) => QUESTIONS[name].parameters.length > 0);
  const told = areTold ? dimensions : (['times'] as const);
  const [alarm] = first.alarms;
  const isAlarming = readings.every(({ alarms }) => alarms.length > 0);
  const choices = readings.slice(0, CHOICES_MAX).map((one) => ({
    // A query with text differs from "no choice".
    query: shortened(start, one, sent, told),
    why: whyOf(one, dimensions, all),
  }));
  const asked = main?.asks(all);
  const why = isAlarming ? alarm?.detail : undefined;
  const code = main?.code ?? alarm?.code ?? 'time_column_unclear';
  const detail = [asked?.detail, why].filter(Boolean).join(' ');
  const values = { ...(asked ?? alarm)?.values, ...(asked && why && { why }) };
  return question({ code, detail, values, rows: alarm?.rows ?? [], choices: unique(choices) });
}

/** A person decides. */
export const question = (doubt: Warning): Suggestion => ({
  parameters: undefined,
  why: '',
  doubts: [doubt],
  leftOut: [],
});

/** The meaning of a choice, and the argument against the choice. */
function whyOf(
  { choices, alarms: [alarm] }: Reading,
  dimensions: readonly Dimension[],
  all: readonly Choices[],
): string {
  const words = dimensions.map((name) => QUESTIONS[name].answers(choices, all)).filter(Boolean);
  const what = words.join('; ') || 'as it stands';
  return alarm ? `${what}, although: ${alarm.detail}` : what;
}

const unique = (choices: readonly Choice[]): Choice[] => [
  ...new Map(choices.map((one) => [one.query, one])).values(),
];

/** No column can hold a result. Says why, for each column with times. */
function unreadable(columns: readonly Column[], readings: readonly Reading[]): Suggestion {
  const details = readings.flatMap(({ alarms }) =>
    alarms.filter(({ against: rows }) => rows === REFUTED),
  );
  const [first] = details;
  const cells = unreadResults(columns).map(
    ({ cell, column }) =>
      `${quoted(cell)} in the column ${labelOf(column)} is no time that can be read.`,
  );
  const parts = partsOfTime(columns).map(labelOf);
  const timed = columns.filter((one) => formatsIn(one).some((format) => !OF_NUMBERS.has(format)));
  const [named] = timed;
  const words = [
    parts.length > 0
      ? `The time stands in ${parts.length} columns, ${parts.join(', ')}: join them into one, as in 1:28:03.`
      : named && details.length === 0
        ? `No column is clearly the time of the race. Times stand in ${timed.map(labelOf).slice(0, 10).join(', ')}: if one of them is the result, name it, as in chip_time=${named.ref}.`
        : 'No column has the times that the race took, and no column has statuses.',
    ...new Set(details.map(({ detail }) => detail)),
    ...cells,
  ];
  const detail = words.slice(0, 4).join(' ');
  return question({
    code: first?.code ?? 'time_column_unclear',
    detail,
    values: { ...first?.values, why: detail },
    rows: first?.rows ?? [],
    choices: [],
  });
}

const NO_BIBS: Warning = {
  ...worded('bib_column_unclear:none', {}),
  rows: [],
  choices: [],
};

const isEmpty = (column: Column): boolean => filledCells(column).length === 0;

const hasOnlyEmptyResults = (columns: readonly Column[]): boolean =>
  columns.filter(isNamedResult).every(isEmpty);

/** A file whose column of results is empty so far. */
function noResultsYet(columns: readonly Column[], sent: Parameters): Suggestion | undefined {
  const named = columns.filter((one) => isNamedResult(one) && one.class !== 'gunTime');
  const empty = named.filter(isEmpty);
  const isSent = sent.columns.chipTime !== undefined || sent.columns.gunTime !== undefined;
  if (isSent || empty.length === 0) return undefined;
  const choices = empty.slice(0, ALARMED_MAX).map((column) => ({
    query: writeQuery({ ...sent, columns: { ...sent.columns, chipTime: column.ref } }),
    why: `${labelOf(column)} is the time`,
  }));
  return question({ ...NO_RESULTS_YET, choices });
}

const NO_RESULTS_YET: Warning = {
  ...worded('no_results_yet', {}),
  rows: [],
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
 * The fewest parameters with which an upload reads the sampled rows alike. Parameters sent by a person stay, and so do
 * parameters that tell the choices apart: a sent choice is not asked again.
 */
function shortest(
  start: FileStart,
  { parameters, choices: { splits, leftOut, columns } }: Reading,
  sent: Parameters,
  told: readonly Dimension[],
): Parameters {
  const most = Math.ceil(CELLS_MAX / Math.max(start.header.length, 1));
  const matters = new Set(
    [...splits, ...leftOut.map(({ column }) => column)].map(({ index }) => index),
  );
  /** The columns that count, the columns of times that become splits, and the results of the sampled rows. */
  const readWith = (shorter: Parameters): string | undefined => {
    const recognized = recognize(start, shorter);
    const rows = recognized && rowsOf(start, recognized, most);
    if (!rows) return undefined;
    const splits = recognized.splitIndexes.filter((index) => matters.has(index));
    const firsts = MEANINGS.map((meaning) =>
      recognized[meaning].find((index) => counts(columns[index], meaning)),
    );
    return JSON.stringify([firsts, splits, rows.map(resultIn)]);
  };
  const kept = new Set<string>([
    ...Object.keys(sent.columns),
    ...(sent.splits ? ['splits'] : []),
    ...told.flatMap((name): readonly string[] => QUESTIONS[name].parameters),
  ]);
  const target = readWith(parameters);
  return LEAVABLE.filter((name) => !kept.has(name)).reduce<Parameters>((shorter, name) => {
    const attempt = without(name, shorter);
    return readWith(attempt) === target ? attempt : shorter;
  }, parameters);
}

/** Failing rows are alike, whatever the reason. */
const resultIn = ({ judged }: { judged: Result | RowError }): Result | null =>
  judged instanceof RowError ? null : judged;

function without(name: Meaning | 'splits', parameters: Parameters): Parameters {
  if (name === 'splits') {
    const { splits: _, ...others } = parameters;
    return others;
  }
  const { [name]: _, ...columns } = parameters.columns;
  return { ...parameters, columns };
}

/** An upload takes the first cell with a time, so a column of transponder codes does not count. */
function counts(column: Column | undefined, meaning: Meaning): boolean {
  if (!column) return false;
  const isTime = meaning === 'chipTime' || meaning === 'gunTime';
  return isTime ? timesIn(column, 'clock').some(Boolean) : filledCells(column).length > 0;
}

function describe(
  { choices, parameters: { bibFormat, timeFormat, where, whereNot } }: Reading,
  { headerLine, isFirst }: FileStart,
): string {
  const { bib, times, status, splits, leftOut } = choices;
  const { example } = TIME_FORMATS[timeFormat];
  const parts = [
    headerLine === 0 && 'the file has no header',
    headerLine > 0 && !isFirst && `the header is on line ${headerLine}`,
    `${labelOf(bib)} is the bib${bibFormat === 'exact' ? '' : `, in the form that the event has (${bibFormat})`}`,
    times.chip && `${labelOf(times.chip)} is the time`,
    times.gun && `${labelOf(times.gun)} is the gun time`,
    status.column && `${labelOf(status.column)} has the status`,
    timeFormat !== 'clock' && `times are written like ${example}`,
    where.length > 0 && `results are the rows with ${where.join(' and ')}`,
    whereNot.length > 0 && `results are the rows without ${whereNot.join(' and ')}`,
    splits.length > 0 && `splits are ${splits.map(labelOf).join(', ')}`,
    leftOut.length > 0 &&
      `left out: ${leftOut.map(({ column, why }) => `${labelOf(column)}, ${why}`).join('; ')}`,
  ];
  const text = parts.filter(Boolean).join('; ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
