import { type Placeholder, type Query, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Answer } from './neon-transport.ts';
import { db } from './query-builder.ts';

type Prepared = { getQuery(): Query; mapResult(answer: Answer, isFromBatch: true): unknown };

/** A query that drizzle built: a select, a change with `returning`, or raw SQL. */
type Built<Rows> = PromiseLike<Rows> & ({ prepare(name: string): Prepared } | Prepared);

/** Stands for a value. */
export type Slot = Placeholder;

/** Stands for each of the values. */
export type Slots<Values> = { [Name in keyof Values]: Placeholder<string, Values[Name]> };

/** SQL with its values. `transact` runs it. */
export type Statement<Rows = unknown> = {
  /** Its parameters are placeholders, or values that never change. */
  query: Query;
  values: object;
  read: (answer: Answer) => Rows;
  /** The time for a transaction with this statement, if it is not the usual one. */
  budgetMs?: number;
  /** Its rows are read while they arrive. It is the last of its transaction. */
  isStreamed?: true;
};

/**
 * A query that is built once and filled with the values of each request, because drizzle takes longer to
 * build a small query than everything else takes to run it. A value that is left out or undefined has no
 * slot: the query is built once for each set of values that are sent.
 */
export function statement<Values extends object, Rows>(
  build: (slots: Slots<Values>) => Built<Rows>,
): (values: Values) => Statement<Rows> {
  const known = new Map<string, Omit<Statement<Rows>, 'values'>>();
  return (values) => {
    const names = Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : name,
    );
    const shape = names.join();
    let found = known.get(shape);
    if (!found) {
      found = preparedOf(build(slotsOf<Values>(names)));
      known.set(shape, found);
    }
    return { ...found, values };
  };
}

/** Describes the rows of raw SQL. A function, because the deployed Worker never needs the schema itself. */
type RowSchema<Row> = () => z.ZodMiniType<Row>;

let rowsAreChecked = false;

/** Compares every row of raw SQL with its schema. For tests: the deployed Worker relies on them. */
export function checkRows(): void {
  rowsAreChecked = true;
}

/** In tests, compares what was read with its schema. */
export function checked<T>(schema: () => z.ZodMiniType<T>, read: unknown): T {
  if (rowsAreChecked) schema().parse(read);
  return read as T;
}

/** The same for raw SQL. The schema gives the rows their type. */
export function sqlStatement<Values extends object, Row extends Record<string, unknown>>(
  row: RowSchema<Row>,
  build: (slots: Slots<Values>) => SQL,
): (values: Values) => Statement<Row[]> {
  const built = statement((slots: Slots<Values>) => db.execute<Row>(build(slots)));
  return (values) => {
    const { read, ...rest } = built(values);
    return { ...rest, read: (answer) => checked(() => z.array(row()), read(answer)) };
  };
}

/** The row of a `count(*)`. */
export const total = () => z.strictObject({ total: z.int() });

/** Raw SQL whose rows nobody reads. */
export const command = <Values extends object>(build: (slots: Slots<Values>) => SQL) =>
  statement((slots: Slots<Values>) => db.execute(build(slots)));

function slotsOf<Values>(names: readonly string[]): Slots<Values> {
  const slots: { [name: string]: Placeholder } = {};
  for (const name of names) slots[name] = sql.placeholder(name);
  return slots as Slots<Values>;
}

function preparedOf<Rows>(built: Built<Rows>): Omit<Statement<Rows>, 'values'> {
  const prepared = 'prepare' in built ? built.prepare('') : built;
  return {
    query: prepared.getQuery(),
    // Drizzle knows the type of the rows and forgets it when it prepares the query.
    read: (answer) => prepared.mapResult(answer, true) as Rows,
  };
}
