import { type Placeholder, type Query, type SQL, sql, type Table } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import * as z from 'zod/mini';
import type { QueryResult } from './neon-transport.ts';

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
  read: (answer: QueryResult) => Rows;
  /** The time for a transaction with this statement, instead of the usual time. */
  budgetMs?: number;
  /** The rows are read during their arrival. The statement is the last of its transaction. */
  isStreamed?: true;
  /** All statements of the transaction read the data of a single moment. No statement of the transaction writes. */
  isOneMoment?: true;
  /** Statements that run before this statement, in the same transaction. Nobody reads their rows. */
  before?: readonly Statement[];
};

/** A statement that runs after further statements, such as settings and locks. */
export const following = <Rows>(
  before: readonly Statement[],
  statement: Statement<Rows>,
): Statement<Rows> => ({ ...statement, before: [...before, ...(statement.before ?? [])] });

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

/** Names of the values that a statement may lack. */
type OptionalNames<Values> = {
  [Name in keyof Values]-?: undefined extends Values[Name] ? Name : never;
}[keyof Values];

/** The last argument of a statement: all names of values that a call may leave out. No argument without such names. */
export type Optional<Values> = [OptionalNames<Values>] extends [never]
  ? []
  : [optional: Record<OptionalNames<Values>, true>];

/** A statement for a review of its SQL. */
type Reviewable = {
  name: string;
  optional: readonly string[];
  /** The query with the optional values, or without them. */
  queryWith: (optional: readonly string[]) => Query;
};

/** All statements of the loaded modules. */
export const STATEMENTS: Reviewable[] = [];

/**
 * A query that is built once and filled with the values of each request, because building takes longer than all further
 * work of a small query. A missing or undefined value has no slot: each set of sent values has its own query.
 * @param name stands in the query as a comment, so that Postgres' logs and statistics name the statement
 * @param row gives the rows their type
 */
export const statement = <Values extends object, Row>(
  name: string,
  row: RowSchema<Row>,
  build: (slots: Slots<Values>) => SQL,
  ...[optional]: Optional<Values>
): ((values: Values) => Statement<Row[]>) => prepared(name, row, build, optional);

function prepared<Values extends object, Row>(
  name: string,
  row: RowSchema<Row>,
  build: (slots: Slots<Values>) => SQL,
  mayLack: object = {},
): (values: Values) => Statement<Row[]> {
  const queryOf = (slots: Slots<Values>): Query =>
    dialect.sqlToQuery(sql`-- ${sql.raw(name)}\n${build(slots)}`);
  const optional = Object.keys(mayLack);
  STATEMENTS.push({ name, optional, queryWith: (sent) => queryOf(slotsBut(optional, sent)) });
  const known = new Map<string, Query>();
  const rowList = () => z.array(row());
  return (values) => {
    const names = Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : name,
    );
    const shape = names.join();
    let query = known.get(shape);
    if (!query) {
      query = queryOf(slotsOf<Values>(names));
      known.set(shape, query);
    }
    return { query, values, read: ({ rows }) => checked(rowList, rows) };
  };
}

/** A statement without a reader of its rows. */
export const command = <Values extends object>(
  name: string,
  build: (slots: Slots<Values>) => SQL,
  ...optional: Optional<Values>
) => statement(name, z.unknown, build, ...optional);

/** The row of a `count(*)`. */
export const total = () => z.strictObject({ total: z.int() });

/** The value of a statement about an event. */
export type OfEvent = { eventId: string };

/** Which rows of a list a page holds. */
export type Limits = { limit: number; offset: number };

type Tables = typeof import('./schema.ts');
type TableName = {
  [Name in keyof Tables]: Tables[Name] extends Table ? Tables[Name]['_']['name'] : never;
}[keyof Tables];

/** The parts of the select of a list. */
type List = {
  /** The query for the owner of the list, if the owner may be missing. */
  of?: SQL;
  columns: SQL;
  /** The name of the table stands for its rows too: a subquery has no name. */
  table: TableName;
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
  name: string,
  row: RowSchema<Row>,
  build: (slots: Slots<Values>) => List,
  ...[optional]: Optional<Values>
): ((values: Values & Limits) => Statement<Page<Row>[]>) =>
  prepared(
    name,
    () => pageOfRows(row()),
    (slots: Slots<Values & Limits>) => {
      const { of, columns, where, order, idsFirst, ...list } = build(slots);
      const table = sql.raw(list.table);
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
    optional,
  );

function slotsOf<Values>(names: readonly string[]): Slots<Values> {
  const slots: { [name: string]: Placeholder } = {};
  for (const name of names) slots[name] = sql.placeholder(name);
  return slots as Slots<Values>;
}

/** A slot for each value, except for the optional values that are not sent. */
const slotsBut = <Values>(optional: readonly string[], sent: readonly string[]): Slots<Values> =>
  new Proxy(slotsOf<Values & object>(sent), {
    get: (slots, name: keyof Values & string) =>
      slots[name] ?? (optional.includes(name) ? undefined : sql.placeholder(name)),
  });
