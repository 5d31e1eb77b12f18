import { byContract } from '../read/columns.ts';
import { Pattern } from '../read/pattern.ts';
import { type Column, distinct, filledCells, hasNumbers, isCount } from './column.ts';

type BibGuess = { column: Column } | { choices: Column[] };

/** The bib column, or the columns that may be it. */
export function guessBib(columns: readonly Column[]): BibGuess {
  const contract = byContract(columns.map(({ name }) => name)).bib;
  const likely = columns.filter(looksLikeBibs);
  const byName = likely.filter(({ class: ofName }) => ofName === 'bib');
  const best = contract.map((index) => byName.find((one) => one.index === index)).find(Boolean);
  const column = best ?? byName[0];
  if (column) return { column };
  const numbers = likely.filter(({ class: ofName }) => ofName === 'number');
  const [number, ...more] = numbers.filter((one) => !isCount(one));
  if (number && more.length === 0) return { column: number };
  if (columns.every(({ name }) => name === '')) return guessByCells(likely);
  return { choices: numbers.length > 0 ? numbers : likely.filter(isUnknown) };
}

const isUnknown = ({ class: ofName }: Column): boolean =>
  ofName === 'unknown' || ofName === 'place';

/** Chooses the one column of numbers that is no count, age or year, for a file without a header. */
function guessByCells(likely: readonly Column[]): BibGuess {
  const able = likely.filter((one) => !isCount(one) && !areAges(one) && !areYears(one));
  const [column, ...more] = able;
  return column && more.length === 0 && hasNumbers(column)
    ? { column }
    : { choices: able.length > 0 ? able : [...likely] };
}

const BIB = new Pattern(/^[A-Za-z]{0,4}[ -]?\d{1,6}[A-Za-z]{0,2}$/);

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
