import { type Column, columnsOf, distinct, LONG_CELL, tableWidth } from '../../columns/column.ts';
import { isNamedLike, meets, readConditions } from '../../read/columns.ts';
import { plainWords } from '../../read/words.ts';
import { type FileStart, isData } from '../file-start.ts';
import {
  type Asked,
  type Candidate,
  labelOf,
  mapped,
  type Question,
  type RowChoice,
  sure,
} from '../question.ts';

export const rows: Question = {
  code: 'rows_unclear',
  parameters: [],
  candidates({ bib }, asked) {
    const { sent } = asked;
    const { columns } = tableOf(asked, bib, undefined);
    const candidates =
      sent.where.length > 0
        ? [sure(undefined)]
        : rowCandidates(columns, columns[bib.index] ?? bib, sent.point);
    return mapped(candidates, (choice) => ({ rows: choice, ...tableOf(asked, bib, choice) }));
  },
  key: (choices) => `${choices.rows?.column.ref} ${choices.rows?.value}`,
  asks: ([first]) => `A runner has several rows, told apart by ${labelOf(first?.rows?.column)}.`,
  answers: (choices) => (choices.rows ? `only rows with ${choices.rows.value}` : 'all rows'),
};

/** The rows that are results. Rows without a bib, such as sums, are none. */
function tableOf({ start, columns, sent }: Asked, bib: Column, where: RowChoice) {
  const conditions = readConditions(start.header, sent.where);
  const results = start.rows.filter(({ cells }) => {
    const cell = (cells[bib.index] ?? '').trim();
    const isChosen = !where || (cells[where.column.index] ?? '').trim() === where.value;
    return cell !== '' && cell !== bib.name && isChosen && meets(conditions, cells);
  });
  const isWhole = results.length === start.rows.length;
  const table: FileStart = isWhole ? start : { ...start, rows: results };
  return { table, columns: tableAround(bib, isWhole ? columns : columnsOf(table)) };
}

/** Of tables side by side, only the columns of the one with the bib have cells. */
function tableAround(bib: Column, columns: readonly Column[]): readonly Column[] {
  const width = tableWidth(columns, bib);
  if (width === 0) return columns;
  const tableOf = ({ index }: Column) => Math.floor(index / width);
  return columns.map((one) =>
    tableOf(one) === tableOf(bib)
      ? one
      : { ...one, class: 'unknown', cells: one.cells.map(() => ''), known: { times: {} } },
  );
}

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
function rowCandidates(
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
