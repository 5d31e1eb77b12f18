import { type Placeholder, type Query, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import * as z from 'zod/mini';
import type { Answer } from './neon-transport.ts';

const dialect = new PgDialect();

/** Stands for a value. */
export type Slot = Placeholder;

/** Stands for each of the values. */
export type Slots<Values> = { [Name in keyof Values]: Placeholder<string, Values[Name]> };

/** SQL with its values. `transact` runs it. */
export type Statement<Rows = unknown> = {
  /** The query's parameters are placeholders, or constants. */
  query: Query;
  values: object;
  read: (answer: Answer) => Rows;
  /** The time for a transaction with this statement, instead of the usual time. */
  budgetMs?: number;
  /** The rows are read during their arrival. The statement is the last of its transaction. */
  isStreamed?: true;
  /** All statements of the transaction read the data of a single moment. No statement of the transaction writes. */
  isOneMoment?: true;
};

/** Describes a row. A function, because the deployed Worker never needs the schema. */
export type RowSchema<Row> = () => z.ZodMiniType<Row>;

/** The schemas built to check rows; undefined without checks. */
let schemas: WeakMap<RowSchema<unknown>, z.ZodMiniType> | undefined;

/** Compares every row with its schema. For tests: the deployed Worker relies on the tests. */
export function checkRows(): void {
  schemas = new WeakMap();
}

/** In tests, compares the read value with its schema. */
export function checked<T>(schema: RowSchema<T>, read: unknown): T {
  if (schemas) {
    const built = schemas.get(schema) ?? schema();
    schemas.set(schema, built);
    built.parse(read);
  }
  return read as T;
}

/**
 * A query that is built once and filled with the values of each request, because building takes longer than all further
 * work of a small query. A missing or undefined value has no slot: each set of sent values has its own query.
 * @param row gives the rows their type
 */
export function statement<Values extends object, Row>(
  row: RowSchema<Row>,
  build: (slots: Slots<Values>) => SQL,
): (values: Values) => Statement<Row[]> {
  const known = new Map<string, Query>();
  const rowList = () => z.array(row());
  return (values) => {
    const names = Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : name,
    );
    const shape = names.join();
    let query = known.get(shape);
    if (!query) {
      query = dialect.sqlToQuery(build(slotsOf<Values>(names)));
      known.set(shape, query);
    }
    return { query, values, read: ({ rows }) => checked(rowList, rows) };
  };
}

/** A statement without a reader of its rows. */
export const command = <Values extends object>(build: (slots: Slots<Values>) => SQL) =>
  statement(z.unknown, build);

/** The row of a `count(*)`. */
export const total = () => z.strictObject({ total: z.int() });

/** Which rows of a list a page holds. */
export type Limits = { limit: number; offset: number };

/** The parts of the select of a list. */
type List = {
  /** The query for the owner of the list, if the owner may be missing. */
  of?: SQL;
  columns: SQL;
  table: SQL;
  where: SQL;
  order: SQL;
  /** Finds the ids of the page in an index first, so that a long list is not read up to the page. */
  idsFirst?: true;
};

/** A page of a list, and how many rows the list has in all. */
export type Page<Row> = { total: number; rows: Row[] };

export const pageOfRows = <Row>(row: z.ZodMiniType<Row>) =>
  z.strictObject({ total: z.int(), rows: z.array(row) });

/** The rows of the CTE `page`, in the form of a `Page`. */
export const PAGE_ROWS = sql`coalesce((select json_agg(page) from page), '[]') as rows`;

/** A page of a list; no row if the owner of the list is missing. Columns are computed for the page alone. */
export const listStatement = <Values extends object, Row>(
  row: RowSchema<Row>,
  build: (slots: Slots<Values>) => List,
): ((values: Values & Limits) => Statement<Page<Row>[]>) =>
  statement(
    () => pageOfRows(row()),
    (slots: Slots<Values & Limits>) => {
      const { of, columns, table, where, order, idsFirst } = build(slots);
      const select = (found: SQL) => sql`
      select ${found} from ${table} where ${where}
      order by ${order} limit ${slots.limit} offset ${slots.offset}`;
      const listed = idsFirst
        ? sql`${table} join (${select(sql`id`)}) ids using (id)`
        : sql`(${select(sql`*`)}) ${table}`;
      return sql`
    with owner as materialized (${of ?? sql`select`}),
    page as (select ${columns} from ${listed} order by ${order})
    select (select count(*)::int from ${table} where ${where}) as total, ${PAGE_ROWS}
    from owner`;
    },
  );

function slotsOf<Values>(names: readonly string[]): Slots<Values> {
  const slots: { [name: string]: Placeholder } = {};
  for (const name of names) slots[name] = sql.placeholder(name);
  return slots as Slots<Values>;
}
