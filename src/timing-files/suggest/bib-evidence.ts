import { type Column, distinct, filledCells } from '../columns/column.ts';
import type { KnownBibs } from '../judge/judge.ts';
import { BIB_FORMATS, type BibFormat, readBib } from '../read/bib-formats.ts';
import { Pattern } from '../read/pattern.ts';
import { plainDigits } from '../read/text.ts';

const COLUMNS_MAX = 30;
const CELLS_MAX = 60;
const FORMATS = Object.keys(BIB_FORMATS) as BibFormat[];

/** Short texts with a digit and without the signs of a time. */
const BIB = new Pattern(/^[#\p{L}]{0,6}[ .#-]{0,2}[\p{L}\d.\-/ ]{0,12}\d[\p{L}\d.\-/ ]{0,12}$/u);

const looksLikeBib = (cell: string): boolean => BIB.test(plainDigits(cell));

/** Whether the cells of a column may be bibs in any format. */
export const mayBeBibs = (column: Column): boolean => {
  const filled = filledCells(column);
  return filled.length > 0 && filled.filter(looksLikeBib).length >= filled.length * 0.8;
};

const cellsOf = (column: Column): string[] => distinct(filledCells(column)).slice(0, CELLS_MAX);

/** The texts that may be bibs in a format, for a look-up in the event. */
export const bibTexts = (columns: readonly Column[]): string[] =>
  distinct(
    columns
      .filter(mayBeBibs)
      .slice(0, COLUMNS_MAX)
      .flatMap(cellsOf)
      .flatMap((cell) => FORMATS.map((format) => readBib(format, cell))),
  );

/** The share of a column's cells that must be bibs of the event. Of few numbers, all may be bibs by chance. */
export const MOST_CELLS = 0.8;
/** The share from which bibs of the event show the file's form of bibs. Many runners may not be registered yet. */
const SOME_CELLS = 0.25;

/**
 * The format of a column's bibs, as shown by the bibs of the event. A cell that is a bib as written shows the form too.
 */
export function bibFormatOf(column: Column, known: KnownBibs): BibFormat {
  const { format, share } = bestFormat(column, known);
  const cells = cellsOf(column);
  const isAsWritten = cells.some((cell) => known.has(cell) && readBib(format, cell) !== cell);
  return share >= SOME_CELLS && !isAsWritten ? format : 'exact';
}

/** The format in which most different cells of a column are bibs of the event, and their share. */
export function bestFormat(column: Column, known: KnownBibs): { format: BibFormat; share: number } {
  const cells = cellsOf(column);
  const shares = FORMATS.map((format) => {
    const bibs = distinct(cells.map((cell) => readBib(format, cell)));
    const found = bibs.filter((bib) => known.has(bib));
    return { format, share: found.length / Math.max(cells.length, 1) };
  });
  const most = Math.max(...shares.map(({ share }) => share));
  return shares.find(({ share }) => share === most) ?? { format: 'exact', share: 0 };
}
