import { PLACE } from '../read/claim.ts';
import { Pattern } from '../read/pattern.ts';
import type { ResultStatus } from '../read/result-status.ts';
import { type Column, distinct, filledCells, statusesIn, timesIn } from './column.ts';
import { isRegionName } from './column-marks.ts';

export type IsTimed = (row: number) => boolean;

/** Fewer rows may have the same value by chance. */
export const ROWS_MIN = 3;

/** More unknown words have one meaning together. */
export const UNKNOWN_MAX = 4;

export const LETTER = new Pattern(/\p{L}/u);

const NOT_ZERO = new Pattern(/[1-9]/);
const NUMBER = new Pattern(/^\d+([.,]\d+)?$/);

/** Whether a row has a time that is not zero. Each row is looked at once. */
export function createIsTimed(times: readonly Column[]): IsTimed {
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

export const isNonFinish = (status: ResultStatus | undefined): boolean =>
  status !== undefined && status !== 'FINISHED';

export const isPlace = (cell: string): boolean => PLACE.test(cell);

/** Words of a column without a known meaning. */
export function unknownWords(column: Column, hasNumbers: boolean): string[] {
  const statuses = statusesIn(column);
  const known = new Set(column.cells.filter((_, at) => statuses[at] !== undefined));
  const times = timesIn(column, 'apostrophes');
  const read = new Set(column.cells.filter((_, at) => times[at] !== undefined));
  return distinct(filledCells(column)).filter(
    (cell) => !known.has(cell) && !(hasNumbers && (isPlace(cell) || read.has(cell))),
  );
}

export const nonFinishers = (column: Column): number =>
  statusesIn(column).filter(isNonFinish).length;

/** A column "State" can hold OK and IN for regions. */
export const areRegions = (column: Column): boolean =>
  isRegionName(column.name) && filledCells(column).every((cell) => cell.length <= 2);

/** Whether a column has only numbers, blanks and status words, and one of the words means that a runner did not finish. */
export const hasOnlyStatuses = (column: Column): boolean =>
  nonFinishers(column) > 0 &&
  !areRegions(column) &&
  unknownWords(column, false).every((cell) => isPlace(cell));
