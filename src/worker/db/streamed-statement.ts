import { type SQL, sql } from 'drizzle-orm';
import type { Cells, RowStream } from './row-stream.ts';
import { command, type Slots, type Statement } from './statement.ts';

/** The time until the first row of an export. */
const EXPORT_BUDGET_MS = 20_000;

/** The names of columns, and how each value is read from the text that Postgres writes. */
export type Columns = Record<string, (text: string | null) => unknown>;

export const text = (value: string | null): string | null => value;

export const numberOrNull = (value: string | null): number | null =>
  value === null ? null : Number(value);

export const oneOfTexts =
  <T extends string>(values: readonly T[]) =>
  (value: string | null): T | null =>
    values.find((known) => known === value) ?? null;

/** A column without nulls. */
export const required =
  <T>(read: (value: string | null) => T | null) =>
  (value: string | null): T => {
    const found = read(value);
    if (found === null) throw new Error('A required column has no value that is known.');
    return found;
  };

/** A row of a streamed statement with these columns. */
export type StreamedRow<C extends Columns> = { [Name in keyof C]: ReturnType<C[Name]> };

/**
 * Raw SQL whose rows are read while they arrive, so that any number of them fits into memory.
 * @param build takes the list of the columns, which its outermost select must have
 */
export function streamedStatement<Values extends object, C extends Columns>(
  columns: C,
  build: (slots: Slots<Values>, list: SQL) => SQL,
): (values: Values) => Statement<RowStream<StreamedRow<C>>> {
  const readers = Object.entries(columns);
  const list = sql.raw(Object.keys(columns).join(', '));
  const built = command((slots: Slots<Values>) => build(slots, list));
  const toRow = (cells: Cells) =>
    Object.fromEntries(
      readers.map(([name, read], at) => [name, read(cells[at] ?? null)]),
    ) as StreamedRow<C>;
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

/** The column `digest`: in the first row a digest of all rows, whose order says nothing new; null in the others. */
export const digestOf = (table: SQL, order: SQL): SQL => sql`
  case when row_number() over (order by ${order}) = 1
    then sum(hash_record_extended(${table}, 0)) over ()::text end as digest`;

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
