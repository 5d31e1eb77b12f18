import { type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import type { Cells, RowStream } from './row-stream.ts';
import { checked, command, type Slots, type Statement } from './statement.ts';

/** The time until the first row of an export. */
const EXPORT_BUDGET_MS = 20_000;

/** In the first row of a stream a digest of all rows; null in the others. */
export type Digested = { digest: string | null };

/** How the values of columns are read from the text that Postgres writes. Other columns stay text. */
type Readers = Record<string, (text: string) => unknown>;

/**
 * A select whose rows are read while they arrive, so that any number of them fits into memory.
 * @param row names the columns in their order
 * @param build makes the query of the rows, which has these columns, and their order. The order follows from
 *   the rows alone, so that it adds nothing to their digest.
 */
export function streamedStatement<Values extends object, Row extends object>(
  row: () => z.ZodMiniType<Row> & { shape: object },
  readers: Readers,
  build: (slots: Slots<Values>) => { rows: SQL; order: SQL },
): (values: Values) => Statement<RowStream<Row & Digested>> {
  let names: string[] = [];
  const built = command((slots: Slots<Values>) => {
    const { rows, order } = build(slots);
    names = Object.keys(row().shape);
    return sql`
    select ${sql.raw(names.join(', '))}, case when row_number() over (order by ${order}) = 1
      then sum(hash_record_extended(listed, 0)) over ()::text end as digest
    from (${rows}) listed order by ${order}`;
  });
  function toRow(cells: Cells): Row & Digested {
    // A loop: entries and `fromEntries` took a tenth of an export's time.
    const values: Record<string, unknown> = {};
    for (const [at, name] of names.entries()) {
      const cell = cells[at] ?? null;
      const read = readers[name];
      values[name] = cell !== null && read ? read(cell) : cell;
    }
    const digest = cells[names.length] ?? null;
    return Object.assign(checked(row, values), { digest });
  }
  return (values) => ({
    ...built(values),
    isStreamed: true,
    budgetMs: EXPORT_BUDGET_MS,
    read({ stream }) {
      if (!stream) throw new Error('A streamed statement must be the last of its transaction.');
      return stream.map(toRow);
    },
  });
}

/**
 * Precedes the statement of an export, which reads and sorts a whole event: the usual memory would make it
 * write rows to disk, and compiling its plan takes longer than running it.
 */
export const plannedForExport = command(
  () => sql`
  select set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
    set_config('enable_nestloop', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true),
    set_config('statement_timeout', ${sql.raw(`'${EXPORT_BUDGET_MS}'`)}, true)`,
);
