import { type Column, distinct, emptied, LONG_CELL, tableWidth } from '../../columns/column.ts';
import { POINTS } from '../../columns/column-classes.ts';
import { worded } from '../../judge/sentences.ts';
import { isNamedLike, meets, readConditions } from '../../read/columns.ts';
import { plainWords } from '../../read/words.ts';
import { type FileStart, isData } from '../file-start.ts';
import {
  type Candidate,
  columnsRead,
  labelOf,
  mapped,
  type Question,
  type QuestionedFile,
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
      sent.where.length + sent.whereNot.length > 0
        ? [sure(undefined)]
        : rowCandidates(columns, columns[bib.index] ?? bib, sent.point);
    return mapped(candidates, (choice) => ({ rows: choice, ...tableOf(asked, bib, choice) }));
  },
  key: ({ rows: chosen }) => `${chosen?.column.ref} ${chosen?.value} ${chosen?.isNot}`,
  asks(all) {
    const chosen = all.find((one) => one.rows)?.rows;
    const column = chosen?.column.name || chosen?.column.ref || '';
    if (!chosen?.isNot) return worded('rows_unclear:several', { column });
    const { value } = chosen;
    return worded(value === '' ? 'rows_unclear:blank' : 'rows_unclear:with', { value, column });
  },
  answers({ rows: chosen }) {
    if (!chosen) return 'all rows';
    const value = chosen.value || `nothing in ${labelOf(chosen.column)}`;
    return chosen.isNot ? `without the rows with ${value}` : `only rows with ${value}`;
  },
};

/** The rows with results. Rows without a bib, such as sums, are no results. */
function tableOf({ start, columns, sent }: QuestionedFile, bib: Column, where: RowChoice) {
  const conditions = readConditions(start.header, sent);
  const results = start.rows.filter(({ cells }) => {
    const cell = (cells[bib.index] ?? '').trim();
    const isChosen =
      !where || ((cells[where.column.index] ?? '').trim() === where.value) !== where.isNot;
    return cell !== '' && cell !== bib.name && isChosen && meets(conditions, cells);
  });
  const isWhole = results.length === start.rows.length;
  const table: FileStart = isWhole ? start : { ...start, rows: results };
  return { table, columns: tableAround(bib, isWhole ? columns : columnsRead(table, sent)) };
}

/** Of tables side by side, only the columns of the table with the bib have cells. */
function tableAround(bib: Column, columns: readonly Column[]): readonly Column[] {
  const width = tableWidth(columns, bib);
  if (width === 0) return columns;
  const tableOf = ({ index }: Column) => Math.floor(index / width);
  return columns.map((one) => (tableOf(one) === tableOf(bib) ? one : emptied(one, 'unknown')));
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
 * @param point the timing point of the wanted rows; by default the finish
 */
function rowCandidates(
  columns: readonly Column[],
  bib: Column,
  point?: string,
): Candidate<RowChoice>[] {
  const all: Candidate<RowChoice> = sure(undefined);
  const sums = [...rowsOfSums(columns), ...rowsWithoutPlace(columns)];
  const bibs = bib.cells.filter((cell) => cell !== '');
  const share = distinct(bibs).length / Math.max(bibs.length, 1);
  if (share > SOME_REPEAT) return [...sums, all];
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
  if (!best) return [...sums, all];
  const penalty = share > MANY_REPEAT ? 1 : 0;
  const isGuess = best.values.length > 1;
  return [
    ...best.values
      .slice(0, CHOICES_MAX)
      .map((value) => ({ value: { column: best.column, value, isNot: false }, penalty, isGuess })),
    { ...all, penalty: 1 - penalty },
  ];
}

const SUMS = new Set(
  (
    'average avg mean total totals sum count median promedio suma totales media mediana recuento moyenne somme ' +
    'durchschnitt mittelwert summe anzahl gesamt gemiddelde totaal medelvarde srednia suma soma somma'
  ).split(' '),
);
/** Sums stand below the results. */
const LAST_ROWS = 3;

/** A cell of the last rows with the name of a sum or an average, in a column of names. */
function rowsOfSums(columns: readonly Column[]): Candidate<RowChoice>[] {
  return columns.flatMap((column) =>
    distinct(column.cells.slice(-LAST_ROWS))
      .filter((cell) => SUMS.has(plainWords(cell)) && !POINTS.has(column.class))
      .slice(0, 1)
      .map((value) => sure<RowChoice>({ column, value, isNot: true })),
  );
}

/**
 * If most rows have a place, the rows without a place may be further runs of a runner, or runners out of competition.
 */
function rowsWithoutPlace(columns: readonly Column[]): Candidate<RowChoice>[] {
  const places = columns.find((one) => one.class === 'place');
  const blank = places?.cells.filter((cell) => cell === '').length ?? 0;
  if (!places || blank === 0 || blank > places.cells.length / 2) return [];
  return [{ value: { column: places, value: '', isNot: true }, penalty: 2 }];
}

const isFinish = (cell: string): boolean =>
  plainWords(cell)
    .split(' ')
    .some((word) => FINISH.has(word));

function isTimingPoint(column: Column, bib: Column): boolean {
  const values = distinct(column.cells);
  if (values.length < 2 || values.length > VALUES_MAX) return false;
  if (values.includes('') || values.includes(LONG_CELL)) return false;
  // Several runners pass a timing point. A name or a place has few rows.
  if (values.every(isData) || values.length > column.cells.length / 2) return false;
  const pairs = column.cells.map((cell, at) => `${bib.cells[at]}\n${cell}`);
  return distinct(pairs).length === pairs.length;
}
