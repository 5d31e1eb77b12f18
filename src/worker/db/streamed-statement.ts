import { type SQL, sql } from 'drizzle-orm';
import type { Cells, RowStream } from './row-stream.ts';
import { checked, command, type RowSchema, type Slots, type Statement } from './statement.ts';

/** The time until the first row of an export. */
export const EXPORT_BUDGET_MS = 20_000;

/** A cell for each value takes twice the time. Many rows with a thousand splits do not fit into memory. */
const ROWS_PER_PIECE = 50;

/** Rows that travel together. */
export type Piece<Row> = {
  rows: Row[];
  /** A digest of all rows of the stream and their order. */
  digest: string;
};

/**
 * A select whose rows are read while they arrive, so that any number of them fits into memory. Postgres packs
 * them: a cell holds the values of one column in several rows, as JSON.
 * @param columnsOf names the columns of a row
 * @param build makes the query of the rows, which has at least these columns, and their order
 */
export function streamedStatement<Values extends object, Row extends object>(
  row: RowSchema<Row>,
  columnsOf: () => readonly string[],
  build: (slots: Slots<Values>) => { rows: SQL; order: SQL },
): (values: Values) => Statement<RowStream<Piece<Row>>> {
  let names: readonly string[] = [];
  const built = command((slots: Slots<Values>) => {
    const { rows, order } = build(slots);
    names = columnsOf();
    const columns = names.map((name) => `json_agg(${name})::text as ${name}`);
    // The sorted subquery gives the aggregates their order.
    return sql`
    with piece as (
      select ${sql.raw(columns.join(', '))}
      from (
        select *, (place - 1) / ${sql.raw(String(ROWS_PER_PIECE))} as number
        from (select *, row_number() over (order by ${order}) as place from (${rows}) listed) placed
        order by number, place
      ) sorted
      group by number order by number
    )
    select *, sum(hash_record_extended(piece, 0)) over ()::text as digest from piece`;
  });
  function toPiece(cells: Cells): Piece<Row> {
    const columns = names.map((_, at): unknown[] => JSON.parse(cells[at] ?? '[]'));
    const rows = columns[0]?.map((_, index) => {
      const values: Record<string, unknown> = {};
      for (const [at, name] of names.entries()) values[name] = columns[at]?.[index];
      return checked(row, values);
    });
    return { rows: rows ?? [], digest: cells[names.length] ?? '' };
  }
  return (values) => ({
    ...built(values),
    isStreamed: true,
    budgetMs: EXPORT_BUDGET_MS,
    read({ stream }) {
      if (!stream) throw new Error('A streamed statement must be the last of its transaction.');
      return stream.map(toPiece);
    },
  });
}
