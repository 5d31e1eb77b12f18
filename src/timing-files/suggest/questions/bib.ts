import {
  type Column,
  distinct,
  filledCells,
  hasNumbers,
  isCount,
  tableWidth,
} from '../../columns/column.ts';
import { BESIDE_RESULTS, type ColumnClass } from '../../columns/column-classes.ts';
import type { KnownBibs } from '../../judge/judge.ts';
import { BIB_FORMATS, type BibFormat, readBib } from '../../read/bib-formats.ts';
import { byContract } from '../../read/columns.ts';
import { Pattern } from '../../read/pattern.ts';
import { plainDigits } from '../../read/text.ts';
import {
  type Candidate,
  mapped,
  type Question,
  sentColumn,
  sure,
  withExample,
} from '../question.ts';

/** The numbers of fewer rows may be bibs of the event by chance. */
const [ROWS_MIN, ROWS_DISTINCTIVE] = [3, 12];
const CHOICES_MAX = 6;

/** Names of a bib, and names that say nothing. */
const MAY_BE_BIB: ReadonlySet<ColumnClass> = new Set(['bib', 'number', 'unknown']);

export const bib: Question = {
  code: 'bib_column_unclear',
  parameters: ['bib'],
  candidates(_, asked) {
    const { columns, sent, known } = asked;
    const given = sentColumn(asked, columns, 'bib');
    return mapped(given ? [sure(given)] : bibCandidates(columns, known), (column) => ({
      bib: column,
      bibFormat: sent.bibFormat === 'exact' ? bibFormatOf(column, known) : sent.bibFormat,
    }));
  },
  key: (choices) => choices.bib.ref,
  asks: ([first]) =>
    first && tableWidth(first.columns, first.bib) > 0
      ? 'Tables with the same names stand side by side: send the file once for each of them.'
      : 'No column is clearly the bib.',
  answers: (choices) => withExample(choices.bib),
};

/** The columns that may have the bibs. The bibs of the event decide, then the names, then the cells. */
function bibCandidates(columns: readonly Column[], known: KnownBibs): Candidate<Column>[] {
  const likely = columns.filter(mayBeBibs);
  const able = likely.filter((one) => !isCount(one));
  const byName = namedBibs(columns, able);
  const ofEvent = bibsOfEvent(able, known);
  const winners = byName.filter((one) => ofEvent.includes(one));
  if (winners.length > 0) return winners.map(sure);
  const unnamed = ofEvent.filter((one) => MAY_BE_BIB.has(one.class));
  // A wrong guess of the name, as in "Category number" or "Start number" of a language that nobody knows.
  const guessed = ofEvent.filter((one) => BESIDE_RESULTS.has(one.class));
  const evident = unnamed.length > 0 ? unnamed : guessed;
  if (evident.length === 1) return evident.map(sure);
  if (evident.length === 0 && byName.length > 0) return byName.map(sure);
  const named = [...evident, ...byName];
  const some =
    [named, able.filter((one) => MAY_BE_BIB.has(one.class)), likely].find(
      (one) => one.length > 0,
    ) ?? columns;
  const [only, second] = some;
  const isHeaderless = columns.every(({ name }) => name === '');
  if (only && !second && isHeaderless && hasNumbers(only)) return [sure(only)];
  return some
    .toSorted((one, other) => bestFormat(other, known).share - bestFormat(one, known).share)
    .slice(0, CHOICES_MAX)
    .map((value) => ({ value, penalty: 0, isGuess: true }));
}

/** The columns that are named like a bib, those of the contract first. Otherwise the one column named "No" or "#". */
function namedBibs(columns: readonly Column[], able: readonly Column[]): Column[] {
  const [contract] = byContract(columns.map(({ name }) => name)).bib;
  const named = columns.filter((one) => one.class === 'bib');
  const first = named.find(({ index }) => index === contract);
  if (first) return [first, ...named.filter((one) => one !== first && able.includes(one))];
  const numbers = able.filter((one) => one.class === 'number');
  return named.length > 0 || numbers.length > 1 ? named : numbers;
}

/** The columns with the largest share of bibs of the event, each of them once. */
function bibsOfEvent(columns: readonly Column[], known: KnownBibs): Column[] {
  if (known.size === 0) return [];
  const shares = columns
    .filter(isDistinctive)
    .map((column) => ({ column, share: bestFormat(column, known).share }))
    .filter(({ share }) => share >= MOST_CELLS);
  const most = Math.max(...shares.map(({ share }) => share));
  return shares.filter(({ share }) => share > most - 0.1).map(({ column }) => column);
}

/** Whether each cell stands once, and they are no ages or other small numbers, which may be bibs by chance. */
function isDistinctive(column: Column): boolean {
  const filled = filledCells(column);
  const areDistinct = distinct(filled).length >= filled.length * 0.95;
  const areLarge = filled.length >= ROWS_DISTINCTIVE || filled.some((cell) => !UP_TO_99.test(cell));
  return filled.length >= ROWS_MIN && areDistinct && areLarge;
}

const UP_TO_99 = new Pattern(/^\d{1,2}$/);

const COLUMNS_MAX = 30;
const CELLS_MAX = 60;
const FORMATS = Object.keys(BIB_FORMATS) as BibFormat[];

/** Short texts with a digit and without the signs of a time. */
const BIB = new Pattern(/^[#\p{L}]{0,6}[ .#-]{0,2}[\p{L}\d.\-/ ]{0,12}\d[\p{L}\d.\-/ ]{0,12}$/u);

const looksLikeBib = (cell: string): boolean => BIB.test(plainDigits(cell));

/** Whether the cells of a column may be bibs in any format. */
const mayBeBibs = (column: Column): boolean => {
  const filled = filledCells(column);
  return filled.length > 0 && filled.filter(looksLikeBib).length >= filled.length * 0.8;
};

const cellsOf = (column: Column): string[] => distinct(filledCells(column)).slice(0, CELLS_MAX);

/** The texts that may be bibs in one of the formats, to look for them in the event. */
export const bibTexts = (columns: readonly Column[]): string[] =>
  distinct(
    columns
      .filter(mayBeBibs)
      .slice(0, COLUMNS_MAX)
      .flatMap(cellsOf)
      .flatMap((cell) => FORMATS.map((format) => readBib(format, cell))),
  );

/** The share of a column's cells that must be bibs of the event. */
const MOST_CELLS = 0.8;

/** The format of a column's bibs, if the bibs of the event show one. */
function bibFormatOf(column: Column, known: KnownBibs): BibFormat {
  const { format, share } = bestFormat(column, known);
  return share >= MOST_CELLS ? format : 'exact';
}

/** The format in which most different cells of a column are bibs of the event, and their share. */
function bestFormat(column: Column, known: KnownBibs): { format: BibFormat; share: number } {
  const cells = cellsOf(column);
  const shares = FORMATS.map((format) => {
    const bibs = distinct(cells.map((cell) => readBib(format, cell)));
    const found = bibs.filter((bib) => known.has(bib));
    return { format, share: found.length / Math.max(cells.length, 1) };
  });
  const most = Math.max(...shares.map(({ share }) => share));
  return shares.find(({ share }) => share === most) ?? { format: 'exact', share: 0 };
}
