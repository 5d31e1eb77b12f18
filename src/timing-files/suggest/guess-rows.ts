import { plainWords } from '../read/words.ts';
import { type Column, distinct, LONG_CELL } from './column.ts';
import { isData } from './file-start.ts';

/** The column that differs between the rows of a runner, and the values that rows of results may have in it. */
type RowsGuess = { column: Column; values: string[] };

const FINISH = new Set(
  (
    'ziel finish finished finishing complete completed meta arrivee arrivo llegada chegada arribada fin ' +
    'final total gesamt overall end cil aankomst mal maali full finale net'
  ).split(' '),
);

const VALUES_MAX = 30;

/** Looks for a column of timing points. Undefined if each row is a result. */
export function guessRows(columns: readonly Column[], bib: Column): RowsGuess | undefined {
  const bibs = bib.cells.filter((cell) => cell !== '');
  if (distinct(bibs).length > bibs.length * 0.7) return undefined;
  const points = columns
    .filter((column) => isTimingPoint(column, bib))
    .map((column) => ({ column, values: distinct(column.cells) }));
  const finishes = points.map(({ column, values }) => ({
    column,
    values: values.filter(isFinish),
  }));
  return finishes.find(({ values }) => values.length === 1) ?? points[0];
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
