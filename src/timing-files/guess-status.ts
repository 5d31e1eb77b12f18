import { wordKey } from './parameters.ts';
import { parseStatus, type ResultStatus } from './result-status.ts';
import { guessStatus } from './status-words.ts';
import { type Column, distinct, filledCells } from './table.ts';
import { parseTime } from './time-formats.ts';

export type StatusGuess = {
  column: Column | undefined;
  words: Map<string, ResultStatus>;
  /** Words of the status column that nobody knows. */
  unknown: string[];
};

/** Where a file says who did not finish: a column of its own, the places, or the times. */
export function guessStatuses(
  columns: readonly Column[],
  timeColumns: readonly Column[],
): StatusGuess {
  const isOwn = (column: Column) => column.class === 'status';
  const own =
    columns.find((column) => isOwn(column) && saysStatus(column)) ??
    columns.find((column) => isOwn(column) && finisherWord(column, timeColumns) !== undefined);
  const codes = own ? undefined : codesOf(columns, timeColumns);
  if (codes) return codes;
  const places = columns.filter((column) => column.class === 'place' && hasStatusWord(column));
  const column = own ?? places[0];
  const words = new Map<string, ResultStatus>();
  for (const cell of distinct(column ? filledCells(column) : [])) {
    const status = guessStatus(cell);
    if (status && !parseStatus(cell)) words.set(wordKey(cell), status);
  }
  for (const cell of distinct(timeColumns.flatMap(filledCells))) {
    const status = guessStatus(cell);
    if (status && status !== 'FINISHED') words.set(wordKey(cell), status);
  }
  const finisher = own && finisherWord(own, timeColumns);
  if (finisher !== undefined) words.set(wordKey(finisher), 'FINISHED');
  const unknown = own
    ? distinct(filledCells(own)).filter((cell) => !meaningOf(cell) && cell !== finisher)
    : [];
  return { column, words, unknown };
}

const meaningOf = (cell: string): ResultStatus | undefined =>
  parseStatus(cell) ?? guessStatus(cell);

/** Most of a column's cells are words for a status: a column "State" can also name OK and IN. */
function saysStatus(column: Column): boolean {
  const filled = filledCells(column);
  const said = filled.filter(meaningOf);
  const areRegions =
    /^e?stad?t?[oe]?$/i.test(column.name) && filled.every((cell) => cell.length <= 2);
  return said.length > 0 && said.length >= filled.length * 0.6 && !areRegions;
}

/**
 * The one unknown word of most rows, if its rows alone have a time and the others say that somebody did
 * not finish: it then stands for FINISHED, whatever the software calls that.
 */
function finisherWord(column: Column, timeColumns: readonly Column[]): string | undefined {
  const filled = filledCells(column);
  const [word, second] = distinct(filled.filter((cell) => !meaningOf(cell)));
  const known = distinct(filled).filter((cell) => cell !== word);
  const isMost = filled.filter((cell) => cell === word).length >= filled.length / 2;
  if (word === undefined || second !== undefined || known.length === 0 || !isMost) return undefined;
  if (!/\p{L}/u.test(word) || known.some((cell) => meaningOf(cell) === 'FINISHED'))
    return undefined;
  const hasTime = (at: number) =>
    timeColumns.some(({ cells }) => parseTime('apostrophes', cells[at] ?? '') !== undefined);
  const isSo = column.cells.every((cell, at) => cell === '' || hasTime(at) === (cell === word));
  return isSo ? word : undefined;
}

const hasStatusWord = (column: Column): boolean =>
  filledCells(column).some((cell) => (meaningOf(cell) ?? 'FINISHED') !== 'FINISHED');

/** The numbers that UltraSignup writes. */
const CODES = new Map<string, ResultStatus>([
  ['1', 'FINISHED'],
  ['2', 'DNF'],
  ['3', 'DNS'],
  ['5', 'DSQ'],
]);

/** Numbers stand for statuses where those of finishers have a time and no other has. */
function codesOf(columns: readonly Column[], [time]: readonly Column[]): StatusGuess | undefined {
  const column = columns.find(
    (one) => one.class === 'status' && isCodes(one) && (!time || fitsTimes(one, time)),
  );
  return column && { column, words: CODES, unknown: [] };
}

function isCodes(column: Column): boolean {
  const filled = filledCells(column);
  return filled.includes('1') && filled.every((cell) => CODES.has(cell));
}

const fitsTimes = ({ cells }: Column, time: Column): boolean =>
  cells.every((cell, at) => {
    const text = time.cells[at] ?? '';
    const hasTime = /[1-9]/.test(text) && parseTime('apostrophes', text) !== undefined;
    return cell === '1' ? hasTime || /[1-9]/.test(text) : !hasTime;
  });
