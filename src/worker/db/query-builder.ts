import { Column, is, type Query, sql } from 'drizzle-orm';
import {
  PgDatabase,
  PgDialect,
  PgPreparedQuery,
  type PgQueryResultHKT,
  PgSession,
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
} from 'drizzle-orm/pg-core';
import type { Answer } from './neon-transport.ts';

/** A query answers its rows. */
interface Rows extends PgQueryResultHKT {
  type: this['row'][];
}

/** A column without a decoder was decoded by the Neon client already. */
type ColumnOf = { name: string; decoder?: Column };

/** Drizzle's end of a query: its SQL, and how its rows are read. */
class BuiltQuery extends PgPreparedQuery<PreparedQueryConfig> {
  readonly #columns: readonly ColumnOf[] | undefined;

  constructor(query: Query, fields: SelectedFieldsOrdered | undefined) {
    super(query, undefined, undefined);
    this.#columns = fields?.map(({ path, field }) => ({
      name: path.join('.'),
      ...(is(field, Column) && { decoder: field }),
    }));
  }

  /** @returns the rows as objects */
  override mapResult({ fields, rows }: Answer): Record<string, unknown>[] {
    const columns: readonly ColumnOf[] = this.#columns ?? fields;
    return rows.map((values) => {
      const row: Record<string, unknown> = {};
      let index = 0;
      for (const { name, decoder } of columns) {
        const value = values[index++];
        row[name] =
          decoder && typeof value === 'string' ? decoder.mapFromDriverValue(value) : value;
      }
      return row;
    });
  }

  override execute(): Promise<never> {
    return Promise.reject(new Error('Only transact() runs queries.'));
  }
}

class BuilderSession extends PgSession<Rows> {
  override prepareQuery(query: Query, fields: SelectedFieldsOrdered | undefined) {
    return new BuiltQuery(query, fields);
  }

  override transaction(): Promise<never> {
    return Promise.reject(new Error('Only transact() runs transactions.'));
  }
}

const dialect = new PgDialect();

/** Builds queries. It has no connection: a statement is run by `transact`. */
export const db = new PgDatabase<Rows>(dialect, new BuilderSession(dialect), undefined);

/** Counts rows. */
export const rowCount = sql<number>`count(*)::int`;
