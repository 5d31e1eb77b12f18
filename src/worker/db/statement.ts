import { type Placeholder, type Query, sql } from 'drizzle-orm';
import type { Answer } from './neon-transport.ts';

type Prepared = { getQuery(): Query; mapResult(answer: Answer, isFromBatch: true): unknown };

/** What drizzle builds: a select, a change with `returning`, or `db.execute`. */
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
};

/** A row of what a function made by `statement` selects. */
export type RowOf<Q extends (values: never) => Statement> = Q extends (
  values: never,
) => Statement<(infer Row)[]>
  ? Row
  : never;

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
