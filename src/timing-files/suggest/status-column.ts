import { byContract } from '../read/columns.ts';
import { type Column, filledCells, HYPHENS, statusesIn, timesIn } from './column.ts';
import type { ColumnClass } from './column-classes.ts';
import {
  areRegions,
  hasOnlyStatuses,
  type IsTimed,
  isPlace,
  LETTER,
  nonFinishers,
  ROWS_MIN,
  UNKNOWN_MAX,
  unknownWords,
} from './status-cells.ts';

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
export function statusColumn(
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

/** Whether a row has a time and, if most rows have a place, a place. */
function createIsRanked(columns: readonly Column[], isTimed: IsTimed): IsTimed {
  const cells = columns.find((one) => one.class === 'place')?.cells ?? [];
  const timed = [...cells.keys()].filter(isTimed);
  const arePlaced = timed.filter((row) => isPlace(cells[row] ?? '')).length > timed.length / 2;
  return arePlaced ? (row) => isTimed(row) && isPlace(cells[row] ?? '') : isTimed;
}

/** Whether most rows have a word for a finisher, and others an unknown one. */
const isMostlyFinished = (column: Column): boolean =>
  MAY_MARK.has(column.class) &&
  !areRegions(column) &&
  unknownWords(column, true).length > 0 &&
  statusesIn(column).filter((status) => status === 'FINISHED').length > column.cells.length / 2;

/** Whether most rows have the same cell, blank or not, and others a word. */
function hasFewWords(column: Column): boolean {
  const counts = new Map<string, number>();
  for (const cell of column.cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const [[usual, most] = ['', 0]] = [...counts].toSorted(([, one], [, other]) => other - one);
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
export function marksUntimed(column: Column, isTimed: IsTimed): boolean {
  if (!MAY_MARK.has(column.class)) return false;
  const ofTimed = column.cells.filter((_, at) => isTimed(at));
  const timed = new Set(ofTimed);
  const untimed = new Set(column.cells.filter((_, at) => !isTimed(at)));
  const areOwn = Array.from(untimed).every((cell) => !HYPHENS.test(cell) && !timed.has(cell));
  const arePlaces = ofTimed.every(isPlace) && !Array.from(untimed).some(isPlace);
  const isClear = arePlaces ? timed.size > 0 : timed.size === 1 && ofTimed.length >= ROWS_MIN;
  return isClear && areOwn && untimed.size > 0 && untimed.size <= UNKNOWN_MAX;
}
