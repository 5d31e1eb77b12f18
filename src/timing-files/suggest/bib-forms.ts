import { type Column, distinct, filledCells } from '../columns/column.ts';
import type { KnownBibs } from '../judge/judge.ts';
import { wholeBib } from '../read/claim.ts';
import { Pattern } from '../read/pattern.ts';

const COLUMNS_MAX = 30;
const CELLS_MAX = 60;

/** Short texts with a digit and without the signs of a time. */
const BIB = new Pattern(/^[#\p{L}]{0,6}[ .#-]{0,2}[\p{L}\d.\-/ ]{0,12}\d[\p{L}\d.\-/ ]{0,12}$/u);
const DECORATION = new Pattern(/^(no|nr|num|n|bib|#)?[.:#º°\s]+(?=\S)/i);
const ZEROS = new Pattern(/^0+(?=\d)/);
const THOUSANDS = new Pattern(/(?<=^\d{1,3})\.(?=\d{3}$)/);
const SEPARATORS = new Pattern(/[\s-]/g);

/** The forms in which an event may have the bib of a cell: `#12`, `No. 12`, `0012`, `1.234`, `12-A`. */
function bibForms(cell: string): string[] {
  const whole = wholeBib(cell).trim();
  const plain = THOUSANDS.replace(DECORATION.replace(whole, '').trim(), '');
  return distinct([whole, plain, ZEROS.replace(plain, ''), SEPARATORS.replace(plain, '')]);
}

const looksLikeBib = (cell: string): boolean => BIB.test(cell);

/** Whether the cells of a column may be bibs in any form. */
export const mayBeBibs = (column: Column): boolean => {
  const filled = filledCells(column);
  return filled.length > 0 && filled.filter(looksLikeBib).length >= filled.length * 0.8;
};

const cellsOf = (column: Column): string[] => distinct(filledCells(column)).slice(0, CELLS_MAX);

/** The texts that may be bibs, to look for them in the event. */
export const bibTexts = (columns: readonly Column[]): string[] =>
  distinct(columns.filter(mayBeBibs).slice(0, COLUMNS_MAX).flatMap(cellsOf).flatMap(bibForms));

/** The share of a column's cells that are bibs of the event, in any form. */
export function shareOf(column: Column, known: KnownBibs): number {
  const cells = cellsOf(column);
  const found = cells.filter((cell) => bibForms(cell).some((form) => known.has(form)));
  return found.length / Math.max(cells.length, 1);
}
