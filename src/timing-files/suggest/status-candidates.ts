import { type Parameters, wordKey } from '../read/parameters.ts';
import { Pattern } from '../read/pattern.ts';
import { parseStatus, RESULT_STATUSES, type ResultStatus } from '../read/result-status.ts';
import { onFirstUse, plainName } from '../read/words.ts';
import type { Candidate } from './candidate.ts';
import { type Column, distinct, filledCells, statusesIn } from './column.ts';
import {
  createIsTimed,
  type IsTimed,
  isNonFinish,
  isPlace,
  LETTER,
  nonFinishers,
  ROWS_MIN,
  UNKNOWN_MAX,
  unknownWords,
} from './status-cells.ts';
import { codesOf } from './status-codes.ts';
import { marksUntimed, statusColumn } from './status-column.ts';

/** The marks of runners who did not finish: a column, and words in it and in the times. */
export type StatusReading = {
  column: Column | undefined;
  words: ReadonlyMap<string, ResultStatus>;
  /** The words whose meaning is a guess. */
  guessed: readonly (readonly [word: string, status: ResultStatus])[];
};

const READINGS_MAX = 12;
const WORDS_MAX = 50;

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

/** Whether the numbers of a column are codes and not places: all rows with a time have the same number. */
function isCoded(column: Column, isTimed: IsTimed): boolean {
  const timed = column.cells.filter((_, at) => isTimed(at));
  return timed.length >= ROWS_MIN && distinct(timed).length === 1 && marksUntimed(column, isTimed);
}

const isPlaceLike = (column: Column): boolean =>
  column.class !== 'status' && filledCells(column).some(isPlace);

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
