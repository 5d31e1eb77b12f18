import type pg from 'pg';
import { hashApiKey } from '../caller/api-key.ts';
import type { Caller } from '../caller/caller.ts';
import { findKey, ofPermittedKey } from '../caller/queries.ts';
import { connect, type Database } from '../db/client.ts';
import { LargeText } from '../db/large-text.ts';
import type { Scope } from '../scopes.ts';

/** SQL as the API sends it, with its parameters. */
export type Statement = { text: string; values: unknown[] };

type Query =
  | { toSQL(): { sql: string; params: unknown[] } }
  | { getQuery(): { sql: string; params: unknown[] } };

export type Asking = {
  /** For writing queries: it asks nobody. */
  caller: Caller;
  /** All that the API sends to Postgres in one trip with these queries. */
  statements(...queries: Query[]): Statement[];
};

/** What a request with this key sends, without sending it. */
export async function askingWith(key: string, scope: Scope): Promise<Asking> {
  const db: Database = connect('postgres://nobody:nobody@127.0.0.1:1/none');
  const keyHash = await hashApiKey(key);
  return {
    caller: {
      db,
      organizationId: ofPermittedKey(db, 'organization_id', keyHash, scope),
      apiKeyId: ofPermittedKey(db, 'id', keyHash, scope),
      ask: () => Promise.reject(new Error('This caller only writes queries.')),
    },
    statements: (...queries) => [findKey(db, keyHash, scope), ...queries].map(toStatement),
  };
}

export function toStatement(query: Query): Statement {
  const { sql, params } = 'toSQL' in query ? query.toSQL() : query.getQuery();
  const values = params.map((value) => (value instanceof LargeText ? String(value) : value));
  return { text: sql, values };
}

/** Runs the statements as one transaction, the text of what they answer left as it is. */
export async function transaction(
  client: pg.PoolClient,
  statements: readonly Statement[],
): Promise<void> {
  await client.query('begin');
  for (const { text, values } of statements) {
    await client.query({ text, values, rowMode: 'array', types: AS_TEXT });
  }
  await client.query('commit');
}

const AS_TEXT = { getTypeParser: () => (text: unknown) => text };
