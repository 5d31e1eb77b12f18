import { plainWords } from '../read/words.ts';
import { type Column, distinct, LONG_CELL } from './column.ts';
import { isData } from './file-start.ts';

/** The rows that are results, if a runner has several rows. */
type RowsGuess =
  | { kind: 'all' }
  | { kind: 'where'; column: Column; value: string }
  | { kind: 'unclear'; column: Column; values: string[] };

const FINISH = new Set(
  (
    'ziel finish finished finishing complete completed meta arrivee arrivo llegada chegada arribada fin ' +
    'final total gesamt overall end cil aankomst mal maali full finale net'
  ).split(' '),
);

const VALUES_MAX = 30;

/** Looks for a column of timing points that tells the rows of one runner apart. */
export function guessRows(columns: readonly Column[], bib: Column): RowsGuess {
  const bibs = bib.cells.filter((cell) => cell !== '');
  if (distinct(bibs).length > bibs.length * 0.7) return { kind: 'all' };
  const points = columns.filter((column) => isTimingPoint(column, bib));
  for (const column of points) {
    const finishes = distinct(column.cells).filter((cell) => isFinish(cell));
    const [value] = finishes;
    if (value !== undefined && finishes.length === 1) return { kind: 'where', column, value };
  }
  const [column] = points;
  return column ? { kind: 'unclear', column, values: distinct(column.cells) } : { kind: 'all' };
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
