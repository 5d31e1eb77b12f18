import { wholeBib } from '../read/claim.ts';
import { byContract } from '../read/columns.ts';
import { Pattern } from '../read/pattern.ts';
import { type Column, distinct, filledCells, hasNumbers, isCount } from './column.ts';
import type { ColumnClass } from './column-classes.ts';

type BibGuess = { column: Column } | { choices: Column[] };

/** Texts of the file that are bibs of the event. Empty if they were not looked up. */
export type KnownBibs = ReadonlySet<string>;

/** The share of a column's cells that must be bibs of the event. */
const MOST = 0.8;
/** The numbers of fewer rows may be bibs of the event by chance. */
const ROWS_MIN = 3;
const ROWS_DISTINCTIVE = 12;

/** The bib column, or the columns that may be it. */
export function guessBib(columns: readonly Column[], known: KnownBibs): BibGuess {
  const likely = columns.filter(looksLikeBibs);
  const byName = columns.filter(
    (one) => one.class === 'bib' && (one.cells.length === 0 || likely.includes(one)),
  );
  const contract = byContract(columns.map(({ name }) => name)).bib;
  const named = byName.find(({ index }) => index === contract[0]) ?? byName[0];
  const able = likely.filter((one) => !isCount(one) && !areAges(one) && !areYears(one));
  const ofEvent = able.filter((one) => isOfEvent(one, known));
  if (named) {
    const isRefuted = known.size > 0 && ofEvent.length > 0 && shareOf(named, known) === 0;
    return isRefuted ? { choices: [...new Set([...ofEvent, named])] } : { column: named };
  }
  const numbers = likely.filter(({ class: ofName }) => ofName === 'number');
  const [number, ...more] = numbers.filter((one) => !isCount(one));
  if (number && more.length === 0) return { column: number };
  const isHeaderless = columns.every(({ name }) => name === '');
  const unnamed = able.filter((one) => isHeaderless || !NO_BIB.has(one.class));
  const evident =
    only(ofEvent.filter((one) => unnamed.includes(one))) ??
    only(ofEvent.filter(({ class: ofName }) => ofName === 'person'));
  if (evident) return { column: evident };
  if (isHeaderless) {
    const [one, ...others] = able;
    if (one && others.length === 0 && hasNumbers(one)) return { column: one };
  }
  const untimed = columns.filter(
    ({ class: ofName }) => ofName === 'unknown' || ofName === 'person',
  );
  const choices = [numbers.filter((one) => !isCount(one)), unnamed, likely, untimed, columns];
  const some = choices.find((one) => one.length > 0) ?? [];
  return { choices: some.toSorted((one, other) => shareOf(other, known) - shareOf(one, known)) };
}

const only = <T>([one, ...more]: readonly T[]): T | undefined =>
  more.length === 0 ? one : undefined;

/** Columns that are named like something else. */
const NO_BIB: ReadonlySet<ColumnClass> = new Set([
  'netTime',
  'gunTime',
  'officialTime',
  'time',
  'status',
  'noResult',
  'lap',
  'split',
  'otherTime',
  'person',
  'place',
]);

/** The texts that may be bibs, to look for them in the event. */
export const bibTexts = (columns: readonly Column[]): string[] =>
  distinct(columns.filter(looksLikeBibs).slice(0, COLUMNS_MAX).flatMap(bibsIn));

const COLUMNS_MAX = 30;
const CELLS_MAX = 60;

const bibsIn = (column: Column): string[] =>
  distinct(filledCells(column)).slice(0, CELLS_MAX).map(wholeBib);

function shareOf(column: Column, known: KnownBibs): number {
  const bibs = bibsIn(column);
  return bibs.filter((bib) => known.has(bib)).length / Math.max(bibs.length, 1);
}

/** Whether a column has bibs of the event, each of them once. */
function isOfEvent(column: Column, known: KnownBibs): boolean {
  const filled = filledCells(column);
  const areDistinct = distinct(filled).length >= filled.length * 0.95;
  // Ages and other small numbers may be bibs of the event by chance.
  const areDistinctive =
    filled.length >= ROWS_DISTINCTIVE || filled.some((cell) => !UP_TO_99.test(cell));
  return (
    filled.length >= ROWS_MIN && areDistinct && areDistinctive && shareOf(column, known) >= MOST
  );
}

const BIB = new Pattern(/^[A-Za-z]{0,4}[ -]?\d{1,6}([A-Za-z]{0,2}|\.0)$/);

function looksLikeBibs(column: Column): boolean {
  const filled = filledCells(column);
  return filled.length > 0 && filled.filter((cell) => BIB.test(cell)).length >= filled.length * 0.8;
}

const YEAR = new Pattern(/^(19|20)\d\d$/);

const areYears = (column: Column): boolean =>
  hasNumbers(column) && filledCells(column).every((cell) => YEAR.test(cell));

const UP_TO_99 = new Pattern(/^\d{1,2}$/);

function areAges(column: Column): boolean {
  const filled = filledCells(column);
  const areLikely = filled.every((cell) => UP_TO_99.test(cell) && Number(cell) >= 4);
  return filled.length >= 8 && areLikely && distinct(filled).length < filled.length * 0.8;
}
