import { wordKey } from '../read/parameters.ts';
import { Pattern } from '../read/pattern.ts';
import { parseStatus, type ResultStatus } from '../read/result-status.ts';
import { type Column, distinct, filledCells, statusesIn, timesIn } from './column.ts';

export type StatusGuess = {
  column: Column | undefined;
  words: Map<string, ResultStatus>;
  /** Words of the status column without a known meaning. */
  unknown: string[];
};

/** Finds the runners who did not finish: in a status column, in the places or in the times. */
export function guessStatuses(
  columns: readonly Column[],
  timeColumns: readonly Column[],
): StatusGuess {
  const named = columns.filter((column) => column.class === 'status');
  const own =
    named.find(hasStatuses) ??
    named.find((column) => finisherWord(column, timeColumns) !== undefined);
  const codes = own ? undefined : codesIn(named, timeColumns);
  if (codes) return codes;
  const places = columns.filter((column) => column.class === 'place' && hasNonFinisher(column));
  const column = own ?? places[0];
  const words = new Map<string, ResultStatus>();
  if (column) addWords(words, column, (status, cell) => status !== parseStatus(cell));
  for (const time of timeColumns) addWords(words, time, (status) => status !== 'FINISHED');
  const finisher = own && finisherWord(own, timeColumns);
  if (finisher !== undefined) words.set(wordKey(finisher), 'FINISHED');
  const unknown = own ? unknownWords(own).filter((cell) => cell !== finisher) : [];
  return { column, words, unknown };
}

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

const unknownWords = (column: Column): string[] => {
  const statuses = statusesIn(column);
  const known = new Set(column.cells.filter((_, at) => statuses[at] !== undefined));
  return distinct(filledCells(column)).filter((cell) => !known.has(cell));
};

const REGION_NAME = new Pattern(/^e?stad?t?[oe]?$/i);

/** Whether most cells are status words. A column "State" can also hold OK and IN for regions. */
function hasStatuses(column: Column): boolean {
  const filled = filledCells(column);
  const statuses = statusesIn(column).filter((status) => status !== undefined);
  const areRegions = REGION_NAME.test(column.name) && filled.every((cell) => cell.length <= 2);
  return statuses.length > 0 && statuses.length >= filled.length * 0.6 && !areRegions;
}

const LETTER = new Pattern(/\p{L}/u);

/**
 * The one unknown word of most rows, if exactly its rows have a time and the other rows have a status that is
 * not FINISHED. The word then means FINISHED.
 */
function finisherWord(column: Column, timeColumns: readonly Column[]): string | undefined {
  const filled = filledCells(column);
  const [word, second] = unknownWords(column);
  const isMost = filled.filter((cell) => cell === word).length >= filled.length / 2;
  if (word === undefined || second !== undefined || !isMost || !LETTER.test(word)) return undefined;
  const known = statusesIn(column).filter((status) => status !== undefined);
  if (known.length === 0 || known.includes('FINISHED')) return undefined;
  const times = timeColumns.map((time) => timesIn(time, 'apostrophes'));
  const hasTime = (at: number) => times.some((found) => found[at] !== undefined);
  const isSo = column.cells.every((cell, at) => cell === '' || hasTime(at) === (cell === word));
  return isSo ? word : undefined;
}

const hasNonFinisher = (column: Column): boolean =>
  statusesIn(column).some((status) => status !== undefined && status !== 'FINISHED');

/** The numbers that UltraSignup writes. */
const CODES = new Map<string, ResultStatus>([
  ['1', 'FINISHED'],
  ['2', 'DNF'],
  ['3', 'DNS'],
  ['5', 'DSQ'],
]);

/** Numbers are statuses if exactly the rows with the number of a finisher have a time. */
function codesIn(named: readonly Column[], [time]: readonly Column[]): StatusGuess | undefined {
  const column = named.find((one) => areCodes(one) && (!time || fitTimes(one, time)));
  return column && { column, words: CODES, unknown: [] };
}

function areCodes(column: Column): boolean {
  const filled = filledCells(column);
  return filled.includes('1') && filled.every((cell) => CODES.has(cell));
}

const NOT_ZERO = new Pattern(/[1-9]/);

function fitTimes({ cells }: Column, time: Column): boolean {
  const times = timesIn(time, 'apostrophes');
  return cells.every((cell, at) => {
    const hasNumber = NOT_ZERO.test(time.cells[at] ?? '');
    return cell === '1' ? hasNumber : !hasNumber || times[at] === undefined;
  });
}
