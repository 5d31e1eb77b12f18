import { NeonDbError, neon, neonConfig } from '@neondatabase/serverless';
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http';
import { ApiError } from '../errors.ts';
import { LargeText } from './large-text.ts';

export type Database = NeonHttpDatabase;
export type Query = BatchItem<'pg'>;

/** Longer than the largest accepted upload takes to write; a database that hangs is then away. */
const ANSWER_BUDGET_MS = 30_000;
const RETRY_AFTER_SECONDS = 2;
/** The whole transaction is tried again after a deadlock or a serialization failure. */
const ATTEMPTS = 3;
const RETRIED_SQLSTATES = new Set(['40P01', '40001']);
/** Classes that say "not now" rather than "wrong": connection, resources, operator intervention. */
const UNAVAILABLE_SQLSTATES = /^(08|40|53|57|58)/;

const LOOPBACK_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);
const neonEndpoint = neonConfig.fetchEndpoint;
// In development the "database host" is the local gateway, which speaks Neon's protocol over HTTP.
neonConfig.fetchEndpoint = (host, port, options) => {
  if (LOOPBACK_HOSTS.has(host)) return `http://${host}:${port}/sql`;
  return typeof neonEndpoint === 'string' ? neonEndpoint : neonEndpoint(host, port, options);
};
neonConfig.fetchFunction = async (input: string, init: RequestInit & { body: string }) => {
  const pieces = LargeText.insertInto(init.body);
  const body = pieces ? streamOf(pieces) : init.body;
  try {
    return await fetch(input, { ...init, body, signal: AbortSignal.timeout(ANSWER_BUDGET_MS) });
  } catch (error) {
    const { host, hostname } = new URL(input);
    if (!LOOPBACK_HOSTS.has(hostname)) throw error;
    throw new Error(`no local stack at ${host}: "npm run dev" and "npm run stack" start one`, {
      cause: error,
    });
  }
};

/** A body of known length, which is then told ahead of it: servers refuse one that might be too long. */
function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { readable, writable } = new FixedLengthStream(length);
  const write = async () => {
    const writer = writable.getWriter();
    for (const piece of pieces) await writer.write(piece);
    await writer.close();
  };
  // Where nobody reads to the end, the fetch says why.
  write().catch(() => {});
  return readable;
}

export const connect = (databaseUrl: string): Database => drizzle({ client: neon(databaseUrl) });

/**
 * Runs the queries as one transaction in one round trip.
 * @throws ApiError SERVICE_UNAVAILABLE when Postgres cannot answer now; nothing was written, or the
 *   answer was lost and the same request can be sent again.
 * @throws DatabaseError when a statement is refused: a bug here, not the client's doing.
 */
export async function transact<const T extends readonly [Query, ...Query[]]>(
  db: Database,
  queries: T,
): Promise<BatchResponse<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.batch(queries);
    } catch (error) {
      const failure = classify(error);
      if (attempt < ATTEMPTS && RETRIED_SQLSTATES.has(failure.sqlstate ?? '')) continue;
      if (!failure.unavailable) throw failure.error;
      throw new ApiError('SERVICE_UNAVAILABLE', 'The database does not answer. Try again.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: failure.error,
      });
    }
  }
}

/** A refused statement, without the values that Postgres quotes in its own messages. */
class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

type Failure = { error: Error; sqlstate?: string; unavailable: boolean };

function classify(error: unknown): Failure {
  if (error instanceof NeonDbError && error.code) {
    const { code, constraint, table, routine } = error;
    return {
      error: new DatabaseError(
        `SQLSTATE ${code} in ${routine ?? 'an unknown routine'}` +
          ` (table ${table ?? 'unknown'}, constraint ${constraint ?? 'none'})`,
      ),
      sqlstate: code,
      unavailable: UNAVAILABLE_SQLSTATES.test(code),
    };
  }
  // No SQLSTATE: the answer never came, or was not Postgres' own.
  if (error instanceof NeonDbError) return { error, unavailable: true };
  if (error instanceof SyntaxError || error instanceof DOMException) {
    return { error: new Error(`Unreadable answer: ${error.name}`), unavailable: true };
  }
  return { error: error instanceof Error ? error : new Error(typeof error), unavailable: false };
}
