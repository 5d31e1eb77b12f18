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
import { byContract } from '../../read/columns.ts';
import { Pattern } from '../../read/pattern.ts';
import { bestFormat, bibFormatOf, MOST_CELLS, mayBeBibs } from '../bib-evidence.ts';
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
  asks: ([first, second]) =>
    first &&
    second &&
    first.bib.name === second.bib.name &&
    tableWidth(first.columns, first.bib) > 0
      ? 'Tables with the same names stand side by side: send the file once for each of them.'
      : 'No column is clearly the bib.',
  answers: (choices) => withExample(choices.bib),
};

/** The columns that may have the bibs. The bibs of the event decide, then the names, then the cells. */
function bibCandidates(columns: readonly Column[], known: KnownBibs): Candidate<Column>[] {
  const likely = columns.filter(mayBeBibs);
  const able = likely.filter((one) => !isCount(one));
  const byName = namedBibs(columns, likely);
  const ofEvent = bibsOfEvent(able, known);
  const winners = byName.filter((one) => ofEvent.includes(one));
  if (winners.length > 0) return ranked(winners, byName);
  const isHeaderless = columns.every(({ name }) => name === '');
  const unnamed = ofEvent.filter((one) => isHeaderless || MAY_BE_BIB.has(one.class));
  // A wrong guess of the name, as in "Category number" or "Start number" of a language that nobody knows.
  const guessed = ofEvent.filter((one) => BESIDE_RESULTS.has(one.class));
  const evident = unnamed.length > 0 ? unnamed : guessed;
  if (evident.length === 1) return ranked(evident, byName);
  const [first] = byName;
  if (first && evident.length === 0) return ranked(byName, []);
  const some = [
    [...evident, ...byName],
    isHeaderless ? able : [],
    able.filter((one) => MAY_BE_BIB.has(one.class)),
    likely,
    columns,
  ].find((one) => one.length > 0);
  const [only, ...more] = some ?? [];
  if (only && isHeaderless && more.length === 0 && hasNumbers(only)) return [sure(only)];
  return (some ?? [])
    .toSorted((one, other) => bestFormat(other, known).share - bestFormat(one, known).share)
    .slice(0, CHOICES_MAX)
    .map((value) => ({ value, penalty: 0, isGuess: true }));
}

const ranked = (best: readonly Column[], others: readonly Column[]): Candidate<Column>[] => [
  ...best.map(sure),
  ...others.filter((one) => !best.includes(one)).map((value) => ({ value, penalty: 1 })),
];

/** The columns that are named like a bib, those of the contract first. Otherwise the one column named "No" or "#". */
function namedBibs(columns: readonly Column[], likely: readonly Column[]): Column[] {
  const contract = byContract(columns.map(({ name }) => name)).bib;
  const named = columns.filter(
    (one) => one.class === 'bib' && (one.cells.length === 0 || filledCells(one).length > 0),
  );
  const first = named.find(({ index }) => index === contract[0]);
  if (first) return [first, ...named.filter((one) => one !== first && likely.includes(one))];
  if (named.length > 0) return named;
  const numbers = likely.filter((one) => one.class === 'number' && !isCount(one));
  return numbers.length === 1 ? numbers : [];
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
