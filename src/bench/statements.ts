import { fillPlaceholders } from 'drizzle-orm';
import type pg from 'pg';
import { hashApiKey } from '../worker/auth/api-key/api-key.ts';
import type { CallerValues } from '../worker/auth/api-key/queries.ts';
import type { MemberValues } from '../worker/auth/panel/queries.ts';
import { LargeText } from '../worker/db/large-text.ts';
import type { Statement } from '../worker/db/statement.ts';
import type { Scope } from '../worker/scopes.ts';

/** A query in the form of the API. */
export type SentQuery = { text: string; values: unknown[] };

/** Turns a statement into the API's query for Postgres. */
export type Send = (statement: Statement) => SentQuery;

/** Creates queries for requests with this key, or of this member. */
export async function sendingWith(
  key: string,
  neededScope: Scope,
  member?: MemberValues,
): Promise<Send> {
  const caller: CallerValues & Partial<MemberValues> = {
    keyHash: hashApiKey(key),
    neededScope,
    ...member,
  };
  return ({ query, values }) => {
    const params = fillPlaceholders(query.params, { ...values, ...caller });
    return {
      text: query.sql,
      values: params.map((value) => (value instanceof LargeText ? textOf(value) : value)),
    };
  };
}

function textOf({ jsonBlocks }: LargeText): string {
  const utf8 = new TextDecoder();
  return JSON.parse(
    `"${jsonBlocks.map((block) => utf8.decode(block, { stream: true })).join('')}"`,
  );
}

/** Runs the queries as a transaction. The answers stay text. */
export async function transaction(
  client: pg.PoolClient,
  queries: readonly SentQuery[],
): Promise<void> {
  await client.query('begin');
  for (const { text, values } of queries) {
    await client.query({ text, values, rowMode: 'array', types: AS_TEXT });
  }
  await client.query('commit');
}

const AS_TEXT = { getTypeParser: () => (text: unknown) => text };
