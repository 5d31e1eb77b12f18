import { PLACE } from '../read/claim.ts';
import { byContract } from '../read/columns.ts';
import { type Parameters, wordKey } from '../read/parameters.ts';
import { Pattern } from '../read/pattern.ts';
import { parseStatus, RESULT_STATUSES, type ResultStatus } from '../read/result-status.ts';
import { onFirstUse, plainName } from '../read/words.ts';
import type { Candidate } from './candidate.ts';
import { type Column, distinct, filledCells, HYPHENS, statusesIn, timesIn } from './column.ts';
import type { ColumnClass } from './column-classes.ts';
import { isRegionName } from './column-marks.ts';

/** The marks of runners who did not finish: a column, and words in it and in the times. */
export type StatusReading = {
  column: Column | undefined;
  words: ReadonlyMap<string, ResultStatus>;
  /** The words whose meaning is a guess. */
  guessed: readonly (readonly [word: string, status: ResultStatus])[];
};

type Words = ReadonlyMap<string, ResultStatus>;
type IsTimed = (row: number) => boolean;

const READINGS_MAX = 12;
/** With more unknown words, all of them mean the same. */
const UNKNOWN_MAX = 4;
const WORDS_MAX = 50;
/** Fewer rows may have the same value by chance. */
const ROWS_MIN = 3;

/**
 * Finds the runners who did not finish: in a status column, in remarks, in the places or in the times.
 * @param given the column that a person named; null if none has the status
 */
export function statusCandidates(
  columns: readonly Column[],
  times: readonly Column[],
  sent: Parameters,
  given: Column | null | undefined,
): Candidate<StatusReading>[] {
  const isTimed = createIsTimed(times);
  const others = columns.filter((one) => !times.includes(one) && one.class !== 'bib');
  const context = { columns, times, sent, isTimed };
  if (given !== undefined) return readingsOf(given ?? undefined, context);
  const names = onFirstUse(() => new Set(columns.map(({ name }) => plainName(name))));
  for (const column of others) {
    const words = codesOf(column, names, isTimed);
    if (words) return [{ value: { column, words, guessed: [] }, penalty: 0 }];
  }
  const column = statusColumn(others, times, isTimed);
  const none = readingsOf(undefined, context);
  if (!column) return none;
  const penalty = nonFinishers(column) > 0 ? 1 : 0;
  return [
    ...readingsOf(column, context),
    ...none.map((one) => ({ ...one, penalty: one.penalty + penalty })),
  ];
}

/** Columns whose words are about something else. */
const NO_STATUS: ReadonlySet<ColumnClass> = new Set([
  'person',
  'noResult',
  'netTime',
  'gunTime',
  'officialTime',
  'time',
]);

const hasTimes = (column: Column): boolean =>
  timesIn(column, 'apostrophes').some((ms) => ms !== undefined);

/** The column with most statuses of runners who did not finish. Of two equal columns, the first. */
function statusColumn(
  columns: readonly Column[],
  times: readonly Column[],
  isTimed: IsTimed,
): Column | undefined {
  const named = columns.filter(({ class: ofName }) => ofName === 'status');
  const contract = byContract(columns.map(({ name }) => name)).status.map((at) => columns[at]);
  const marked = columns.filter(
    (one) =>
      nonFinishers(one) > 0 &&
      !areRegions(one) &&
      (hasOnlyStatuses(one) || (!NO_STATUS.has(one.class) && !hasTimes(one))),
  );
  const [most] = marked.toSorted((one, other) => nonFinishers(other) - nonFinishers(one));
  if (most) return most;
  const isTold = times.some((one) => nonFinishers(one) > 0);
  const isRanked = createIsRanked(columns, isTimed);
  const areUnranked = times.some(({ cells }) =>
    cells.some((_, row) => isTimed(row) && !isRanked(row)),
  );
  return (
    named.find((one) => contract.includes(one) && filledCells(one).length > 0) ??
    columns.find(hasWordsAmongPlaces) ??
    (isTold ? undefined : columns.find((one) => marksUntimed(one, isTimed))) ??
    columns.find((one) => areUnranked && marksUntimed(one, isRanked)) ??
    named.find(hasFewWords) ??
    columns.find(isMostlyFinished)
  );
}

type Context = {
  columns: readonly Column[];
  times: readonly Column[];
  sent: Parameters;
  isTimed: IsTimed;
};

/** The readings of a status column, or of none, with the possible meanings of its unknown words. */
function readingsOf(
  column: Column | undefined,
  { columns, times, sent, isTimed }: Context,
): Candidate<StatusReading>[] {
  const words = new Map([
    ...wordsIn(column ? [column] : [], (status, cell) => status !== parseStatus(cell)),
    ...wordsIn(times, isNonFinish),
  ]);
  const finisher = column && finisherWord(column, isTimed);
  if (finisher !== undefined) words.set(wordKey(finisher), 'FINISHED');
  const isKnown = (word: string) => words.has(wordKey(word)) || sent.statusWords.has(wordKey(word));
  const inColumn = column
    ? unknownWords(column, isPlaceLike(column) && !isCoded(column, isTimed))
    : [];
  if (column && isNoStatus(column, inColumn, isTimed)) return [];
  const remarks = column ? remarksOfFinishers(column, columns, isTimed) : [];
  for (const word of remarks) if (!isKnown(word)) words.set(wordKey(word), 'FINISHED');
  const unknown = distinct([
    ...inColumn,
    ...times.flatMap((time) => unknownWords(time, true).filter((word) => !DIGIT.test(word))),
  ])
    .filter((word) => !isKnown(word))
    .slice(0, WORDS_MAX);
  const asked = [...(column ? [column] : []), ...times];
  return meaningsTogether(unknown, asked, isTimed).map((statuses) => {
    const guessed = unknown.flatMap((word, at) => {
      const status = statuses[at];
      return status ? [[word, status] as const] : [];
    });
    const keyed = guessed.map(([word, status]) => [wordKey(word), status] as const);
    return { value: { column, words: new Map([...words, ...keyed]), guessed }, penalty: 0 };
  });
}

const NOT_ZERO = new Pattern(/[1-9]/);
const NUMBER = new Pattern(/^\d+([.,]\d+)?$/);

/** Whether a row has a time that is not zero. Each row is looked at once. */
function createIsTimed(times: readonly Column[]): IsTimed {
  const timed = new Set<number>();
  for (const column of times) {
    const read = [timesIn(column, 'apostrophes'), timesIn(column, 'dots')];
    for (const [row, cell] of column.cells.entries()) {
      const isTime = read.some((ms) => ms[row] !== undefined) || NUMBER.test(cell);
      if (isTime && NOT_ZERO.test(cell)) timed.add(row);
    }
  }
  return (row) => timed.has(row);
}

/** Whether a row has a time and, if most rows have a place, a place. */
function createIsRanked(columns: readonly Column[], isTimed: IsTimed): IsTimed {
  const cells = columns.find((one) => one.class === 'place')?.cells ?? [];
  const timed = [...cells.keys()].filter(isTimed);
  const arePlaced = timed.filter((row) => isPlace(cells[row] ?? '')).length > timed.length / 2;
  return arePlaced ? (row) => isTimed(row) && isPlace(cells[row] ?? '') : isTimed;
}

/** The meanings of the words in these columns. */
const wordsIn = (
  columns: readonly Column[],
  isWanted: (status: ResultStatus, cell: string) => boolean,
): Map<string, ResultStatus> =>
  new Map(
    columns.flatMap((column) =>
      statusesIn(column).flatMap((status, at) => {
        const cell = column.cells[at] ?? '';
        return status && isWanted(status, cell) ? [[wordKey(cell), status] as const] : [];
      }),
    ),
  );

const isNonFinish = (status: ResultStatus | undefined): boolean =>
  status !== undefined && status !== 'FINISHED';

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

const nonFinishers = (column: Column): number => statusesIn(column).filter(isNonFinish).length;

/** Whether a column has only numbers, blanks and status words, and one of the words means that a runner did not finish. */
export const hasOnlyStatuses = (column: Column): boolean =>
  nonFinishers(column) > 0 &&
  !areRegions(column) &&
  unknownWords(column, false).every((cell) => isPlace(cell));

/** Whether the numbers of a column are codes and not places: all rows with a time have the same number. */
function isCoded(column: Column, isTimed: IsTimed): boolean {
  const timed = column.cells.filter((_, at) => isTimed(at));
  return timed.length >= ROWS_MIN && distinct(timed).length === 1 && marksUntimed(column, isTimed);
}

const isPlaceLike = (column: Column): boolean =>
  column.class !== 'status' && filledCells(column).some(isPlace);

/** Whether most rows have a word for a finisher, and others an unknown one. */
const isMostlyFinished = (column: Column): boolean =>
  MAY_MARK.has(column.class) &&
  !areRegions(column) &&
  unknownWords(column, true).length > 0 &&
  statusesIn(column).filter((status) => status === 'FINISHED').length > column.cells.length / 2;

/** Whether most rows have the same cell, blank or not, and others a word. */
function hasFewWords(column: Column): boolean {
  const alike = Map.groupBy(column.cells, (cell) => cell);
  const most = Math.max(...Array.from(alike.values(), ({ length }) => length));
  const [usual] = [...alike].find(([, { length }]) => length === most) ?? [''];
  const isOther = (cell: string) => cell !== usual && LETTER.test(cell);
  return !areRegions(column) && most > column.cells.length / 2 && column.cells.some(isOther);
}

/** Whether a column of places has a few words too. */
function hasWordsAmongPlaces(column: Column): boolean {
  const filled = filledCells(column);
  const numbers = filled.filter(isPlace);
  const isCounting = numbers.every((cell, at) => Number.parseInt(cell, 10) === at + 1);
  if (column.class !== 'place' && !isCounting) return false;
  return (
    numbers.length > ROWS_MIN &&
    numbers.length < filled.length &&
    numbers.length > filled.length / 2
  );
}

const MAY_MARK: ReadonlySet<ColumnClass> = new Set([
  'status',
  'place',
  'unknown',
  'otherTime',
  'time',
]);

/**
 * Whether a column under any name marks the rows without a time: their words stand in no row with a time. Rows with a
 * time have places, or all the same value.
 */
function marksUntimed(column: Column, isTimed: IsTimed): boolean {
  if (!MAY_MARK.has(column.class)) return false;
  const ofTimed = column.cells.filter((_, at) => isTimed(at));
  const timed = new Set(ofTimed);
  const untimed = new Set(column.cells.filter((_, at) => !isTimed(at)));
  const areOwn = Array.from(untimed).every((cell) => !HYPHENS.test(cell) && !timed.has(cell));
  const arePlaces = ofTimed.every(isPlace) && !Array.from(untimed).some(isPlace);
  const isClear = arePlaces ? timed.size > 0 : timed.size === 1 && ofTimed.length >= ROWS_MIN;
  return isClear && areOwn && untimed.size > 0 && untimed.size <= UNKNOWN_MAX;
}

/** A column "State" can hold OK and IN for regions. */
const areRegions = (column: Column): boolean =>
  isRegionName(column.name) && filledCells(column).every((cell) => cell.length <= 2);

const LETTER = new Pattern(/\p{L}/u);
const DIGIT = new Pattern(/\d/);
const LONG_WORD = new Pattern(/\p{L}{4}/u);

/**
 * The one unknown word of most rows with a time, if all its rows have one and the other rows have a status that is not
 * FINISHED. The word then means FINISHED.
 */
function finisherWord(column: Column, isTimed: IsTimed): string | undefined {
  const timed = column.cells.filter((_, row) => isTimed(row));
  const [word, second] = unknownWords(column, false);
  const isMost = timed.filter((cell) => cell === word).length >= timed.length / 2;
  if (word === undefined || second !== undefined || !isMost || !LETTER.test(word)) return undefined;
  const known = statusesIn(column).filter((status) => status !== undefined);
  if (known.length === 0 || known.includes('FINISHED')) return undefined;
  const isSo = column.cells.every((cell, at) => cell !== word || isTimed(at));
  return isSo ? word : undefined;
}

/** The unknown words of rows that have a time and a place: remarks about finishers. */
function remarksOfFinishers(
  column: Column,
  columns: readonly Column[],
  isTimed: IsTimed,
): string[] {
  const places = columns.find((one) => one.class === 'place' && one !== column);
  if (!places) return [];
  const isFinisher = (row: number) => isTimed(row) && isPlace(places.cells[row] ?? '');
  return unknownWords(column, false).filter((word) =>
    column.cells.every((cell, row) => cell !== word || isFinisher(row)),
  );
}

/**
 * Whether the unknown words of a column are regions or remarks, and no statuses: several of them are long, no known
 * status stands beside them, and each of them stands in a row with a time.
 */
function isNoStatus(column: Column, unknown: readonly string[], isTimed: IsTimed): boolean {
  if (nonFinishers(column) > 0 || unknown.length < 3) return false;
  const ofTimed = new Set(column.cells.filter((_, at) => isTimed(at)));
  const areWords = unknown.filter((word) => LONG_WORD.test(word)).length >= unknown.length * 0.6;
  return areWords && unknown.every((word) => ofTimed.has(word));
}

const codes = (list: string): Words =>
  new Map(
    list.split(' ').flatMap((pair) => {
      const [code = '', name = ''] = pair.split(':');
      const status = parseStatus(name);
      return status ? [[code, status] as const] : [];
    }),
  );

/** The classifiers of OE2010 and similar software: OK, not started, gave up, mispunched, disqualified, too late. */
const OE = codes('0:FINISHED 1:DNS 2:DNF 3:DSQ 4:DSQ 5:DNF');
const ULTRA_SIGNUP = codes('1:FINISHED 2:DNF 3:DNS 5:DSQ');
const OE_NAMES = new Set(['classifier', 'wertung']);

/** Codes of a software, if the header is that software's and the codes fit the times. */
function codesOf(
  column: Column,
  names: () => ReadonlySet<string>,
  isTimed: IsTimed,
): Words | undefined {
  if (column.class !== 'status') return undefined;
  const has = (list: string) => list.split(' ').every((name) => names().has(name));
  const isOe = OE_NAMES.has(plainName(column.name)) && has('block');
  const known = isOe ? OE : has('place first last status') ? ULTRA_SIGNUP : undefined;
  return known && fits(known, column, isTimed) ? known : undefined;
}

/** Whether all cells are codes, and the rows with a finisher's code are those with a time. */
const fits = (known: Words, column: Column, isTimed: IsTimed): boolean =>
  filledCells(column).length > 0 &&
  column.cells.every((cell, at) => {
    if (cell === '') return true;
    const status = known.get(cell);
    const mayHaveTime = status === 'DNF' || status === 'DSQ';
    return status !== undefined && (mayHaveTime || isTimed(at) === (status === 'FINISHED'));
  });

/** The meanings that an unknown word may have. Its rows with and without a time decide. The likeliest is first. */
function meaningsOf(word: string, columns: readonly Column[], isTimed: IsTimed): ResultStatus[] {
  const places = [...(columns[0]?.cells.keys() ?? [])];
  const rows = places.filter((at) => columns.some((one) => one.cells[at] === word));
  const timed = rows.filter(isTimed).length;
  if (timed === 0) return ['DNF', 'DNS', 'DSQ'];
  if (timed < rows.length) return ['DSQ', 'DNF', 'DNS', 'FINISHED'];
  const hasFinishers = columns.some((one) => statusesIn(one).includes('FINISHED'));
  const isMost = timed > places.filter(isTimed).length / 2 && !hasFinishers;
  return isMost ? ['FINISHED'] : ['DSQ', 'FINISHED', 'DNF'];
}

/** The possible meanings of several words together. Words with the same meaning are likelier. */
function meaningsTogether(
  unknown: readonly string[],
  columns: readonly Column[],
  isTimed: IsTimed,
): ResultStatus[][] {
  const meanings = unknown.map((word) => meaningsOf(word, columns, isTimed));
  const combined =
    unknown.length > UNKNOWN_MAX
      ? RESULT_STATUSES.map((status) =>
          meanings.flatMap((some) => (some.includes(status) ? status : some.slice(0, 1))),
        )
      : meanings.reduce<ResultStatus[][]>(
          (lists, some) => lists.flatMap((list) => some.map((status) => [...list, status])),
          [[]],
        );
  const alike = (statuses: readonly ResultStatus[]) => statuses.length - new Set(statuses).size;
  return combined.toSorted((one, other) => alike(one) - alike(other)).slice(0, READINGS_MAX);
}
