import { type Column, distinct, LONG_CELL } from '../columns/column.ts';
import { isNamedLike } from '../read/columns.ts';
import { plainWords } from '../read/words.ts';
import { type Candidate, sure } from './candidate.ts';
import { isData } from './file-start.ts';

/** The condition of the rows that are results; undefined if all rows are. */
export type RowChoice = { column: Column; value: string } | undefined;

const FINISH = new Set(
  (
    'ziel finish finished finishing complete completed meta arrivee arrivo llegada chegada arribada fin ' +
    'final total gesamt overall end cil aankomst mal maali full finale net'
  ).split(' '),
);

const VALUES_MAX = 30;
const CHOICES_MAX = 10;
/** With fewer rows a runner, the bibs repeat. */
const [MANY_REPEAT, SOME_REPEAT] = [0.7, 0.95];

/**
 * If bibs repeat, a column of timing points or contests tells the rows of a runner apart.
 * @param point the timing point whose rows are looked for; by default it is the finish
 */
export function rowCandidates(
  columns: readonly Column[],
  bib: Column,
  point?: string,
): Candidate<RowChoice>[] {
  const all: Candidate<RowChoice> = sure(undefined);
  const bibs = bib.cells.filter((cell) => cell !== '');
  const share = distinct(bibs).length / Math.max(bibs.length, 1);
  if (share > SOME_REPEAT) return [all];
  const points = columns
    .filter((column) => isTimingPoint(column, bib))
    .map((column) => ({ column, values: distinct(column.cells) }));
  const finishes = points.map(({ column, values }) => ({
    column,
    values: values.filter((value) =>
      point === undefined ? isFinish(value) : isNamedLike(point, value),
    ),
  }));
  const best = finishes.find(({ values }) => values.length === 1) ?? points[0];
  if (!best) return [all];
  const penalty = share > MANY_REPEAT ? 1 : 0;
  const isGuess = best.values.length > 1;
  return [
    ...best.values
      .slice(0, CHOICES_MAX)
      .map((value) => ({ value: { column: best.column, value }, penalty, isGuess })),
    { ...all, penalty: 1 - penalty },
  ];
}

const isFinish = (cell: string): boolean =>
  plainWords(cell)
    .split(' ')
    .some((word) => FINISH.has(word));

function isTimingPoint(column: Column, bib: Column): boolean {
  if (column === bib) return false;
  const values = distinct(column.cells);
  if (values.length < 2 || values.length > VALUES_MAX) return false;
  if (values.includes('') || values.includes(LONG_CELL)) return false;
  // Several runners pass a timing point. A name or a place has few rows.
  if (values.every(isData) || values.length > column.cells.length / 2) return false;
  const pairs = column.cells.map((cell, at) => `${bib.cells[at]}\n${cell}`);
  return distinct(pairs).length === pairs.length;
}
