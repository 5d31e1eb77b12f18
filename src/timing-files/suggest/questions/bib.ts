import { type Column, distinct, filledCells, isCount, tableWidth } from '../../columns/column.ts';
import {
  type ColumnClass,
  certainMeaning,
  isNumberOfPerson,
  RESULTS,
} from '../../columns/column-classes.ts';
import type { KnownBibs } from '../../judge/judge.ts';
import { worded } from '../../judge/sentences.ts';
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
/** A smaller share of bibs of the event is chance, or belongs to a few runners of earlier races. */
const FEW_CELLS = 0.2;
/** The share of a column whose runners may be late entries. */
const SOME_SHARE = 0.3;

/** Names of something else than a bib. */
const NO_BIB: ReadonlySet<ColumnClass> = new Set(['place', 'noResult', 'status', ...RESULTS]);

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
      ? worded('bib_column_unclear:tables', {})
      : worded('bib_column_unclear', {}),
  answers: (choices) => withExample(choices.bib),
};

/**
 * The columns that may have the bibs. An unambiguous name decides. Without such a name, the bibs of the event leave a
 * single column, or a person decides.
 */
function bibCandidates(columns: readonly Column[], known: KnownBibs): Candidate<Column>[] {
  const shareOf = (one: Column) => bestFormat(one, known).share;
  const isEmpty = (one: Column) => one.cells.length > 0 && filledCells(one).length === 0;
  const isHeaderless = columns.every(({ name }) => name === '');
  const able = columns.filter(
    (one) =>
      mayBeBibs(one) && !isCount(one) && !NO_BIB.has(one.class) && !isNumberOfPerson(one.name),
  );
  const isLikely = (one: Column, least: number) => isDistinctive(one) && shareOf(one) >= least;
  const evident = able.filter((one) => isLikely(one, MOST_CELLS));
  const guess = (some: readonly Column[]): Candidate<Column>[] =>
    [...new Set(some)].slice(0, CHOICES_MAX).map((value) => ({ value, penalty: 0, isGuess: true }));
  const byShare = able
    .filter((one) => isHeaderless || one.class !== 'person')
    .toSorted((one, other) => shareOf(other) - shareOf(one));

  const certain = columns.filter(({ class: of, name }) => of === 'bib' && certainMeaning(name));
  const filled = certain.filter((one) => !isEmpty(one));
  if (certain.length > 0) {
    const isOfOthers = filled.every((one) => shareOf(one) < FEW_CELLS) && evident.length > 0;
    if (filled.length === 0 || isOfOthers) return guess([...certain, ...evident, ...byShare]);
    const swapped = columns.filter((one) => mayBeSwapped(one, filled));
    if (!filled.some(mayBeBibs)) return guess([...filled, ...swapped]);
    const likely = filled.filter((one) => shareOf(one) >= MOST_CELLS);
    const areOthers = filled.every((one) => likely.includes(one) || shareOf(one) < FEW_CELLS);
    return [
      ...(likely.length > 0 && areOthers ? likely : filled).map(sure),
      ...guess(swapped).map((one) => ({ ...one, penalty: 1 })),
    ];
  }
  const named = namedBibs(columns, able);
  const [first, another] = named.length > 0 ? named : isHeaderless ? able : [];
  // Waves and teams share numbers, and so do the rows of a runner.
  const isShared = first !== undefined && !isDistinctive(first);
  const others = (isShared ? able.filter((one) => isLikely(one, SOME_SHARE)) : evident).filter(
    (one) => !named.includes(one),
  );
  if (first && !another && (isHeaderless || others.length === 0 || evident.includes(first))) {
    return [sure(first)];
  }
  return guess([...named, ...others, ...byShare, ...able]);
}

/** Whether a column of places or times may have the bibs, because the names of both columns are swapped. */
const mayBeSwapped = (column: Column, named: readonly Column[]): boolean =>
  (column.class === 'place' ? named.every(isCount) && !isCount(column) : column.class === 'time') &&
  mayBeBibs(column) &&
  isDistinctive(column);

/** The columns with a bib's name or, without such a column, with a number's name. */
function namedBibs(columns: readonly Column[], able: readonly Column[]): Column[] {
  const named = columns.filter((one) => one.class === 'bib' && filledCells(one).length > 0);
  return named.length > 0 ? named : able.filter((one) => one.class === 'number');
}

/** Whether each cell is unique, and the cells are no ages or small numbers, which may be bibs by chance. */
function isDistinctive(column: Column): boolean {
  const filled = filledCells(column);
  const areDistinct = distinct(filled).length >= filled.length * 0.95;
  const areLarge = filled.length >= ROWS_DISTINCTIVE || filled.some((cell) => !UP_TO_99.test(cell));
  return filled.length >= ROWS_MIN && areDistinct && areLarge;
}

const UP_TO_99 = new Pattern(/^\d{1,2}$/);
