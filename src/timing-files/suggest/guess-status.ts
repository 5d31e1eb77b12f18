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
  /** Some cells have an unknown meaning. Each reading is possible. */
  | { kind: 'unclear'; detail: string; readings: (StatusReading & { why: string })[] };

const READINGS_MAX = 12;
/** With more unknown words, there is one reading: the likeliest meaning of each word. */
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
  if (given === undefined) {
    const coded = others.find((one) => codesOf(one, columns, isTimed));
    const words = coded && codesOf(coded, columns, isTimed);
    if (coded && words) return { kind: 'sure', reading: { column: coded, words } };
  }
  const column = given === undefined ? statusColumn(others, isTimed) : (given ?? undefined);
  const none = { column: undefined, words: wordsIn(timeColumns, isNonFinish) };
  const words = new Map([
    ...wordsIn(column ? [column] : [], (status, cell) => status !== parseStatus(cell)),
    ...none.words,
  ]);
  const finisher = column && finisherWord(column, isTimed);
  if (finisher !== undefined) words.set(wordKey(finisher), 'FINISHED');
  const unknown = distinct([
    ...(column ? unknownWords(column, isPlaceLike(column) && !isCoded(column, isTimed)) : []),
    ...timeColumns.flatMap((time) => unknownWords(time, true).filter((word) => !DIGIT.test(word))),
  ]).filter((word) => !words.has(wordKey(word)) && !sent.statusWords.has(wordKey(word)));
  const reading = { column, words };
  if (unknown.length === 0) return { kind: 'sure', reading };
  if (given !== undefined || !column) return unclear(reading, unknown, timeColumns, isTimed);
  if (isNoStatus(column, unknown, isTimed)) return { kind: 'sure', reading: none };
  const guess = unclear(reading, unknown, timeColumns, isTimed);
  return {
    ...guess,
    readings: [...guess.readings, { ...none, why: 'the column is no status' }],
  };
}

/** The column with most statuses of runners who did not finish. Of two equal columns, the first. */
function statusColumn(columns: readonly Column[], isTimed: IsTimed): Column | undefined {
  const named = columns.filter(({ class: ofName }) => ofName === 'status');
  const contract = byContract(columns.map(({ name }) => name)).status.map((at) => columns[at]);
  const [first, ...more] = [
    ...named.filter(hasStatuses),
    ...named.filter((one) => nonFinishers(one) > 0 && !areRegions(one)),
    ...columns.filter(hasOnlyStatuses),
  ];
  if (first) {
    return more.reduce((best, one) => (nonFinishers(one) > nonFinishers(best) ? one : best), first);
  }
  return (
    named.find((one) => contract.includes(one) && filledCells(one).length > 0) ??
    columns.find((one) => marksUntimed(one, isTimed))
  );
}

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

const isPlaceLike = (column: Column): boolean => {
  const filled = filledCells(column);
  return column.class !== 'status' && filled.filter(isPlace).length > 0;
};

/**
 * Whether a column under any name marks the rows without a time: their words stand in no row with a time. Rows with a
 * time have places, or all the same value.
 */
function marksUntimed(column: Column, isTimed: IsTimed): boolean {
  if (!MAY_BE_STATUS.has(column.class)) return false;
  const ofTimed = column.cells.filter((_, at) => isTimed(at));
  const timed = new Set(ofTimed);
  const untimed = new Set(column.cells.filter((_, at) => !isTimed(at)));
  const areOwn = Array.from(untimed).every((cell) => !HYPHENS.test(cell) && !timed.has(cell));
  const arePlaces = ofTimed.every(isPlace) && !Array.from(untimed).some(isPlace);
  const isClear = arePlaces ? timed.size > 0 : timed.size === 1 && ofTimed.length >= ROWS_MIN;
  return isClear && areOwn && untimed.size > 0 && untimed.size <= UNKNOWN_MAX;
}

/** Fewer rows may have the same value by chance. */
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
 * Whether the unknown words of a column are regions or remarks, and no statuses: several of them are long, no known
 * status stands beside them, and each of them stands in a row with a time.
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

/** The classifiers of OE2010 and similar software: OK, not started, gave up, mispunched, disqualified, too late. */
const OE = codes('0:FINISHED 1:DNS 2:DNF 3:DSQ 4:DSQ 5:DNF');
const ULTRA_SIGNUP = codes('1:FINISHED 2:DNF 3:DNS 5:DSQ');
const MEOS = codes('1:FINISHED 3:DSQ 4:DNF 5:DSQ 6:DNF 20:DNS 21:DNS');

/** Codes of a software, if the header is that software's and the codes fit the times. */
function codesOf(column: Column, columns: readonly Column[], isTimed: IsTimed): Codes | undefined {
  if (column.class !== 'status') return undefined;
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

/** The readings of the unknown words together. */
function unclear(
  { column, words }: StatusReading,
  unknown: readonly string[],
  timeColumns: readonly Column[],
  isTimed: IsTimed,
): Extract<StatusGuess, { kind: 'unclear' }> {
  const columns = [...(column ? [column] : []), ...timeColumns];
  const asked = unknown.slice(0, WORDS_MAX);
  const meanings = asked.map((word) => meaningsOf(word, columns, isTimed));
  const likeliest = meanings.map((some) => some.slice(0, 1));
  const combined = (asked.length > UNKNOWN_MAX ? likeliest : meanings).reduce<ResultStatus[][]>(
    (lists, some) => lists.flatMap((list) => some.map((status) => [...list, status])),
    [[]],
  );
  const byTable = [OE, ULTRA_SIGNUP, MEOS]
    .filter((table) => column && fits(table, column, isTimed))
    .map((table) => asked.map((word) => table.get(word)));
  const alike = (statuses: readonly ResultStatus[]) => statuses.length - new Set(statuses).size;
  const readings = [
    ...byTable,
    ...combined.toSorted((one, other) => alike(one) - alike(other)),
  ].slice(0, READINGS_MAX);
  const shown = unknown
    .slice(0, 2 * UNKNOWN_MAX)
    .map(quoted)
    .join(', ');
  return {
    kind: 'unclear',
    detail:
      `These cells have an unknown meaning: ${shown}` +
      `${column ? ` in the column ${quoted(column.name || `#${column.index + 1}`)}` : ''}. Give their meanings with status_word.`,
    readings: readings.map((statuses) => {
      const pairs = asked.flatMap((word, at) => {
        const status = statuses[at];
        return status ? [[word, status] as const] : [];
      });
      return {
        column,
        words: new Map([
          ...words,
          ...pairs.map(([word, status]) => [wordKey(word), status] as const),
        ]),
        why: pairs.map(([word, status]) => `${word} is ${status}`).join(', '),
      };
    }),
  };
}
