import type pg from 'pg';
import { hashApiKey } from '../worker/auth/api-key/api-key.ts';
import { permittedKeyColumn, useLiveKey } from '../worker/auth/api-key/queries.ts';
import type { Caller } from '../worker/auth/api-key/require-scope.ts';
import { connect, type Database } from '../worker/db/client.ts';
import { LargeText } from '../worker/db/large-text.ts';
import type { Scope } from '../worker/scopes.ts';

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
      organizationId: permittedKeyColumn(db, 'organization_id', keyHash, scope),
      apiKeyId: permittedKeyColumn(db, 'id', keyHash, scope),
      run: () => Promise.reject(new Error('This caller only writes queries.')),
    },
    statements: (...queries) => [useLiveKey(db, keyHash, scope), ...queries].map(toStatement),
  };
}

export function toStatement(query: Query): Statement {
  const { sql, params } = 'toSQL' in query ? query.toSQL() : query.getQuery();
  const values = params.map((value) => (value instanceof LargeText ? textOf(value) : value));
  return { text: sql, values };
}

function textOf({ jsonBlocks }: LargeText): string {
  const utf8 = new TextDecoder();
  return JSON.parse(
    `"${jsonBlocks.map((block) => utf8.decode(block, { stream: true })).join('')}"`,
  );
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
