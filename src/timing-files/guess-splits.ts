import { type Column, distinct, filledCells } from './table.ts';
import { parseTime, type TimeFormat } from './time-formats.ts';

/** The columns whose times were taken on the way, and why others with times are none. */
export type SplitsGuess = {
  splits: Column[];
  leftOut: { column: Column; why: string }[];
};

/**
 * @param used columns that have another meaning
 * @param finish the column of the result, by which the others are measured
 */
export function guessSplits(
  columns: readonly Column[],
  used: readonly Column[],
  finish: Column | undefined,
  format: TimeFormat,
): SplitsGuess {
  const splits: Column[] = [];
  const leftOut: SplitsGuess['leftOut'] = [];
  const hasCumulative = columns.some(({ name }) => /^\s*split\b/i.test(name));
  for (const column of columns) {
    if (used.includes(column) || column.name === '') continue;
    const why = whyNoSplit(column, finish, format, hasCumulative);
    if (why === undefined) splits.push(column);
    else if (why !== '') leftOut.push({ column, why });
  }
  return { splits, leftOut };
}

const NAMED_SPLITS = new Set(['split', 'lap']);

/** Undefined where the column is one of splits; blank where nothing in it could be stored as one. */
function whyNoSplit(
  column: Column,
  finish: Column | undefined,
  format: TimeFormat,
  hasCumulative: boolean,
): string | undefined {
  const filled = filledCells(column);
  const times = filled.filter((cell) => parseTime(format, cell) !== undefined);
  const isNamed = NAMED_SPLITS.has(column.class);
  if (filled.length === 0) return isNamed ? undefined : column.class === 'noResult' ? NO_SPLIT : '';
  if (times.length === 0)
    return column.class === 'noResult' && /[:']/.test(filled.join()) ? NO_SPLIT : '';
  if (column.class === 'lap' && hasCumulative)
    return 'the columns of splits say the same, added up';
  if (!isNamed && column.class !== 'unknown') return NO_SPLIT;
  if (times.length < filled.length * 0.6) return 'many of its cells are no times';
  if (distinct(times).length === 1 && times.every((cell) => parseTime(format, cell) === 0)) {
    return 'it is zero in every row';
  }
  return whyUnlike(column, finish, format);
}

const NO_SPLIT = 'its name says that it is no split';

/** A column whose times cannot have been taken on the way to these finishes. */
function whyUnlike(
  column: Column,
  finish: Column | undefined,
  format: TimeFormat,
): string | undefined {
  const pairs = column.cells.flatMap((cell, at) => {
    const ms = parseTime(format, cell);
    const finishMs = parseTime(format, finish?.cells[at] ?? '');
    return ms === undefined || finishMs === undefined ? [] : [{ ms, finishMs }];
  });
  if (pairs.length === 0) return undefined;
  if (pairs.every(({ ms, finishMs }) => ms > finishMs)) return 'it is later than the finish';
  if (column.class !== 'unknown' || pairs.length < 3) return undefined;
  const winnerMs = Math.min(...pairs.map(({ finishMs }) => finishMs));
  if (pairs.every(({ ms, finishMs }) => Math.abs(finishMs - winnerMs - ms) < 1_000)) {
    return 'it is the gap to the winner';
  }
  const ratios = pairs.map(({ ms, finishMs }) => finishMs / ms);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return least > 1.5 && most / least < 1.006
    ? 'it is a pace: the same part of every finish'
    : undefined;
}
