import { PLACE } from '../read/claim.ts';
import { byContract } from '../read/columns.ts';
import { type Parameters, wordKey } from '../read/parameters.ts';
import { Pattern } from '../read/pattern.ts';
import { parseStatus, type ResultStatus } from '../read/result-status.ts';
import { quoted } from '../read/text.ts';
import { plainName } from '../read/words.ts';
import { type Column, distinct, filledCells, HYPHENS, statusesIn, timesIn } from './column.ts';

/** The marks of runners who did not finish: a column, and words in it and in the times. */
export type StatusReading = {
  column: Column | undefined;
  words: ReadonlyMap<string, ResultStatus>;
};

type StatusGuess =
  | { kind: 'sure'; reading: StatusReading }
  /** Nobody knows what some cells mean. Each reading is possible. */
  | { kind: 'unclear'; detail: string; readings: (StatusReading & { why: string })[] };

const READINGS_MAX = 12;
/** With more unknown words, there is one reading, by the times of their rows. */
const UNKNOWN_MAX = 4;
const WORDS_MAX = 50;

/**
 * Finds the runners who did not finish: in a status column, in the places or in the times.
 * @param given the column that a person named; null if none has the status
 */
export function guessStatuses(
  columns: readonly Column[],
  timeColumns: readonly Column[],
  sent: Parameters,
  given: Column | null | undefined,
): StatusGuess {
  const isTimed = createIsTimed(timeColumns);
  const others = columns.filter(
    (column) => !timeColumns.includes(column) && column.class !== 'bib',
  );
  const named = others.filter(({ class: ofName }) => ofName === 'status');
  const contract = byContract(columns.map(({ name }) => name)).status.map((at) => columns[at]);
  const isFilled = (column: Column) => filledCells(column).length > 0;

  const coded =
    given === undefined ? named.find((one) => codesOf(one, columns, isTimed)) : undefined;
  const codes = coded && codesOf(coded, columns, isTimed);
  if (coded && codes) return { kind: 'sure', reading: { column: coded, words: codes } };

  const telling = others.filter(tellsStatuses);
  const best = telling.toSorted((one, other) => nonFinishers(other) - nonFinishers(one))[0];
  const own =
    named.find(hasStatuses) ?? named.find((one) => finisherWord(one, isTimed) !== undefined);
  const mixed = named.find((one) => nonFinishers(one) > 0 && !areRegions(one));
  const ofContract = named.find((one) => contract.includes(one) && isFilled(one));
  const column =
    given === undefined
      ? (withMost([own, mixed, best]) ??
        ofContract ??
        withUntimedWord(named, isTimed) ??
        others.find((one) => tellsUntimed(one, isTimed)))
      : (given ?? undefined);

  const words = new Map<string, ResultStatus>();
  if (column) addWords(words, column, (status, cell) => status !== parseStatus(cell));
  for (const time of timeColumns) addWords(words, time, (status) => status !== 'FINISHED');
  const finisher = column && finisherWord(column, isTimed);
  if (finisher !== undefined) words.set(wordKey(finisher), 'FINISHED');

  const isKnown = (word: string) => words.has(wordKey(word)) || sent.statusWords.has(wordKey(word));
  const unknown = [
    ...(column ? unknownWords(column, isPlaceLike(column) && !isCoded(column, isTimed)) : []),
    ...timeColumns.flatMap((time) => unknownWords(time, true).filter((word) => !DIGIT.test(word))),
  ].filter((word) => !isKnown(word));
  if (unknown.length === 0) return { kind: 'sure', reading: { column, words } };
  const isOwn = column === undefined || given !== undefined;
  if (!isOwn && isNoStatus(column, unknown, isTimed)) {
    return { kind: 'sure', reading: { column: undefined, words: wordsOfTimes(timeColumns) } };
  }
  return unclear({ column, words }, distinct(unknown), isTimed, {
    columns,
    timeColumns,
    canBeNone: given === undefined,
  });
}

/** The column with the statuses that no other one has; of two alike the first. */
const withMost = (columns: readonly (Column | undefined)[]): Column | undefined =>
  columns.reduce(
    (best, one) => (one && (!best || nonFinishers(one) > nonFinishers(best)) ? one : best),
    undefined,
  );

type IsTimed = (row: number) => boolean;

const NOT_ZERO = new Pattern(/[1-9]/);

/** Whether a row has a time that is not zero. Each row is looked at once. */
function createIsTimed(timeColumns: readonly Column[]): IsTimed {
  const timed = new Set<number>();
  for (const column of timeColumns) {
    const times = [timesIn(column, 'apostrophes'), timesIn(column, 'dots')];
    for (const [row, cell] of column.cells.entries()) {
      const isTime = times.some((ms) => ms[row] !== undefined) || NUMBER.test(cell);
      if (isTime && NOT_ZERO.test(cell)) timed.add(row);
    }
  }
  return (row) => timed.has(row);
}

const NUMBER = new Pattern(/^\d+([.,]\d+)?$/);

function addWords(
  words: Map<string, ResultStatus>,
  column: Column,
  isWanted: (status: ResultStatus, cell: string) => boolean,
): void {
  const statuses = statusesIn(column);
  for (const [at, cell] of column.cells.entries()) {
    const status = statuses[at];
    if (status && isWanted(status, cell)) words.set(wordKey(cell), status);
  }
}

function wordsOfTimes(timeColumns: readonly Column[]): Map<string, ResultStatus> {
  const words = new Map<string, ResultStatus>();
  for (const time of timeColumns) addWords(words, time, (status) => status !== 'FINISHED');
  return words;
}

const isPlace = (cell: string): boolean => PLACE.test(cell);

/** Words of a column without a known meaning. */
function unknownWords(column: Column, hasNumbers: boolean): string[] {
  const statuses = statusesIn(column);
  const known = new Set(column.cells.filter((_, at) => statuses[at] !== undefined));
  const times = timesIn(column, 'apostrophes');
  const read = new Set(column.cells.filter((_, at) => times[at] !== undefined));
  return distinct(filledCells(column)).filter(
    (cell) => !known.has(cell) && !(hasNumbers && (isPlace(cell) || read.has(cell))),
  );
}

const nonFinishers = (column: Column): number =>
  statusesIn(column).filter((status) => status !== undefined && status !== 'FINISHED').length;

/** Whether a column holds nothing but numbers, blanks and status words, and tells of somebody who did not finish. */
export const tellsStatuses = (column: Column): boolean =>
  nonFinishers(column) > 0 &&
  !areRegions(column) &&
  unknownWords(column, false).every((cell) => isPlace(cell));

/** Whether numbers of a column are no places: one stands in all rows with a time. */
function isCoded(column: Column, isTimed: IsTimed): boolean {
  const timed = column.cells.filter((_, at) => isTimed(at));
  return timed.length >= ROWS_MIN && distinct(timed).length === 1 && tellsUntimed(column, isTimed);
}

const isPlaceLike = (column: Column): boolean => {
  const filled = filledCells(column);
  return column.class !== 'status' && filled.filter(isPlace).length > 0;
};

/** A column of a few short words, one of which stands only where no time stands. */
const withUntimedWord = (columns: readonly Column[], isTimed: IsTimed): Column | undefined =>
  columns.find((column) => {
    const words = distinct(filledCells(column));
    const ofTimed = new Set(column.cells.filter((_, at) => isTimed(at)));
    const areShort = words.every((word) => word.length <= 20);
    return words.length <= UNKNOWN_MAX && areShort && words.some((word) => !ofTimed.has(word));
  });

/**
 * A column under any name that has words of its own in rows without a time. In rows with a time, it has places or one
 * value alone.
 */
function tellsUntimed(column: Column, isTimed: IsTimed): boolean {
  if (!MAY_BE_STATUS.has(column.class)) return false;
  const ofTimed = column.cells.filter((_, at) => isTimed(at));
  const timed = new Set(ofTimed);
  const untimed = new Set(column.cells.filter((_, at) => !isTimed(at)));
  const areOwn = Array.from(untimed).every((cell) => !HYPHENS.test(cell) && !timed.has(cell));
  const arePlaces = ofTimed.every(isPlace) && !Array.from(untimed).some(isPlace);
  const isClear = arePlaces ? timed.size > 0 : timed.size === 1 && ofTimed.length >= ROWS_MIN;
  return isClear && areOwn && untimed.size > 0 && untimed.size <= UNKNOWN_MAX;
}

/** Fewer rows could have one value by chance. */
const ROWS_MIN = 3;

const MAY_BE_STATUS = new Set(['status', 'place', 'unknown', 'otherTime', 'time']);

const REGION_NAME = new Pattern(/^e?stad?t?[oe]?$/i);

/** A column "State" can hold OK and IN for regions. */
const areRegions = (column: Column): boolean =>
  REGION_NAME.test(column.name) && filledCells(column).every((cell) => cell.length <= 2);

/** Whether most cells are status words. */
function hasStatuses(column: Column): boolean {
  const known = statusesIn(column).filter((status) => status !== undefined).length;
  return known > 0 && known >= filledCells(column).length * 0.6 && !areRegions(column);
}

const LETTER = new Pattern(/\p{L}/u);
const DIGIT = new Pattern(/\d/);
const LONG_WORD = new Pattern(/\p{L}{4}/u);

/**
 * The one unknown word of most rows, if all its rows have a time and the other rows have a status that is not
 * FINISHED. The word then means FINISHED.
 */
function finisherWord(column: Column, isTimed: IsTimed): string | undefined {
  const filled = filledCells(column);
  const [word, second] = unknownWords(column, false);
  const isMost = filled.filter((cell) => cell === word).length >= filled.length / 2;
  if (word === undefined || second !== undefined || !isMost || !LETTER.test(word)) return undefined;
  const known = statusesIn(column).filter((status) => status !== undefined);
  if (known.length === 0 || known.includes('FINISHED')) return undefined;
  const isSo = column.cells.every((cell, at) => cell !== word || isTimed(at));
  return isSo ? word : undefined;
}

/**
 * Whether the unknown words of a column are no statuses: there are several long ones, no known one beside them, and
 * none of them tells the rows without a time. They are regions or remarks.
 */
function isNoStatus(column: Column, unknown: readonly string[], isTimed: IsTimed): boolean {
  if (nonFinishers(column) > 0 || unknown.length < 3) return false;
  const ofTimed = new Set(column.cells.filter((_, at) => isTimed(at)));
  const areWords = unknown.filter((word) => LONG_WORD.test(word)).length >= unknown.length * 0.6;
  return areWords && unknown.every((word) => ofTimed.has(word));
}

type Codes = ReadonlyMap<string, ResultStatus>;

const codes = (list: string): Codes =>
  new Map(
    list.split(' ').flatMap((pair) => {
      const [code = '', name = ''] = pair.split(':');
      const status = parseStatus(name);
      return status ? [[code, status] as const] : [];
    }),
  );

/** The classifiers of OE2010 and its kin: OK, not started, gave up, mispunched, disqualified, too late. */
const OE = codes('0:FINISHED 1:DNS 2:DNF 3:DSQ 4:DSQ 5:DNF');
const ULTRA_SIGNUP = codes('1:FINISHED 2:DNF 3:DNS 5:DSQ');
const MEOS = codes('1:FINISHED 3:DSQ 4:DNF 5:DSQ 6:DNF 20:DNS 21:DNS');

/** Codes of a software, if the header is that software's and the codes fit the times. */
function codesOf(column: Column, columns: readonly Column[], isTimed: IsTimed): Codes | undefined {
  const names = new Set(columns.map(({ name }) => plainName(name)));
  const has = (list: string) => list.split(' ').every((name) => names.has(name));
  const isOe = OE_NAMES.has(plainName(column.name)) && has('block');
  const known = isOe ? OE : has('place first last status') ? ULTRA_SIGNUP : undefined;
  return known && fits(known, column, isTimed) ? known : undefined;
}

const OE_NAMES = new Set(['classifier', 'wertung']);

/** Whether all cells are codes, and the rows with a finisher's code are those with a time. */
const fits = (known: Codes, column: Column, isTimed: IsTimed): boolean =>
  filledCells(column).length > 0 &&
  column.cells.every((cell, at) => {
    if (cell === '') return true;
    const status = known.get(cell);
    const mayHaveTime = status === 'DNF' || status === 'DSQ';
    return status !== undefined && (mayHaveTime || isTimed(at) === (status === 'FINISHED'));
  });

/** The meanings that an unknown word may have, by the times of its rows. The likeliest is first. */
function meaningsOf(word: string, columns: readonly Column[], isTimed: IsTimed): ResultStatus[] {
  const [{ cells = [] } = {}] = columns;
  const rows = [...cells.keys()].filter((at) => columns.some((one) => one.cells[at] === word));
  const all = [...cells.keys()].filter(isTimed);
  const timed = rows.filter(isTimed);
  if (timed.length === 0) return ['DNF', 'DNS', 'DSQ'];
  if (timed.length < rows.length) return ['DSQ', 'DNF', 'DNS', 'FINISHED'];
  const hasFinishers = columns.some((one) => statusesIn(one).includes('FINISHED'));
  const isMost = timed.length > all.length / 2 && !hasFinishers;
  return isMost ? ['FINISHED'] : ['DSQ', 'FINISHED', 'DNF'];
}

/** The readings of the unknown words together. */
function unclear(
  known: StatusReading & { words: Map<string, ResultStatus> },
  unknown: readonly string[],
  isTimed: IsTimed,
  from: { columns: readonly Column[]; timeColumns: readonly Column[]; canBeNone: boolean },
): StatusGuess {
  const { column, words } = known;
  const places = [...(column ? [column] : []), ...from.timeColumns];
  const tables = column
    ? [OE, ULTRA_SIGNUP, MEOS].filter((table) => fits(table, column, isTimed))
    : [];
  const likeliest = (word: string) => meaningsOf(word, places, isTimed).at(0) ?? 'DNF';
  let combined: ResultStatus[][] = [[]];
  for (const word of unknown.slice(0, UNKNOWN_MAX)) {
    const meanings = meaningsOf(word, places, isTimed);
    combined = combined.flatMap((before) => meanings.map((status) => [...before, status]));
  }
  const isAlike = (statuses: readonly ResultStatus[]) => statuses.length - new Set(statuses).size;
  const guessed =
    unknown.length > UNKNOWN_MAX
      ? [unknown.slice(0, WORDS_MAX).map((word) => [word, likeliest(word)] as const)]
      : combined
          .toSorted((one, other) => isAlike(one) - isAlike(other))
          .map((statuses) => unknown.map((word, at) => [word, statuses[at] ?? 'DNF'] as const));
  const read = [...tables.map((table) => pairsIn(table, unknown)), ...guessed];
  const none = { column: undefined, words: wordsOfTimes(from.timeColumns) };
  const shown = unknown
    .slice(0, 2 * UNKNOWN_MAX)
    .map(quoted)
    .join(', ');
  return {
    kind: 'unclear',
    detail:
      `Nobody knows what these cells mean: ${shown}` +
      `${column ? ` in the column ${quoted(column.name || `#${column.index + 1}`)}` : ''}. Say it with status_word.`,
    readings: [
      ...read.slice(0, READINGS_MAX).map((pairs) => ({
        column,
        words: new Map([
          ...words,
          ...pairs.map(([word, status]) => [wordKey(word), status] as const),
        ]),
        why: pairs.map(([word, status]) => `${word} is ${status}`).join(', '),
      })),
      ...(column && from.canBeNone ? [{ ...none, why: 'the column is no status' }] : []),
    ],
  };
}

const pairsIn = (table: Codes, unknown: readonly string[]) =>
  unknown.flatMap((word) => {
    const status = table.get(word);
    return status ? [[word, status] as const] : [];
  });
