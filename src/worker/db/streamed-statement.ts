import { type SQL, sql } from 'drizzle-orm';
import type { Cells, RowStream } from './row-stream.ts';
import { command, type Slots, type Statement } from './statement.ts';

/** The time until the first row of an export. */
const EXPORT_BUDGET_MS = 20_000;

/** The names of columns, and how each value is read from the text that Postgres writes. */
type Columns = Record<string, (text: string | null) => unknown>;

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
export type StreamedRow<C extends Columns> = { [Name in keyof C]: ReturnType<C[Name]> } & {
  /** In the first row a digest of all rows; null in the others. */
  digest: string | null;
};

/**
 * A select whose rows are read while they arrive, so that any number of them fits into memory.
 * @param build makes the query of the rows, which has these columns, and their order. The order follows from
 *   the rows alone, so that it adds nothing to their digest.
 */
export function streamedStatement<Values extends object, C extends Columns>(
  columns: C,
  build: (slots: Slots<Values>) => { rows: SQL; order: SQL },
): (values: Values) => Statement<RowStream<StreamedRow<C>>> {
  const readers = [...Object.entries(columns), ['digest', text] as const];
  const list = sql.raw(Object.keys(columns).join(', '));
  const built = command((slots: Slots<Values>) => {
    const { rows, order } = build(slots);
    return sql`
    select ${list}, case when row_number() over (order by ${order}) = 1
      then sum(hash_record_extended(listed, 0)) over ()::text end as digest
    from (${rows}) listed order by ${order}`;
  });
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
