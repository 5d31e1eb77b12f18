import { NeonDbError } from '@neondatabase/serverless';
import { fillPlaceholders } from 'drizzle-orm';
import { unavailable } from '../errors.ts';
import { createNeonTransaction, type NeonTransaction } from './neon-transport.ts';
import type { Statement } from './statement.ts';

/** Runs queries as one transaction. */
export type Database = NeonTransaction;

/** The rows of each statement, in the order of the statements. */
export type Answers<S extends readonly Statement[]> = {
  -readonly [I in keyof S]: S[I] extends Statement<infer Rows> ? Rows : never;
};

/** Values of placeholders that all statements of a transaction share. No statement can replace one. */
export type SharedValues = Record<string, unknown>;

const RETRY_AFTER_SECONDS = 2;
/** Attempts after a deadlock or a serialization failure. */
const ATTEMPTS_BY_SQLSTATE = new Map([
  ['40P01', 3],
  ['40001', 3],
]);
/**
 * Attempts after a constraint that only a concurrent transaction can break. The next attempt sees what that
 * one wrote, so each attempt fails because of another transaction.
 */
const ATTEMPTS_BY_CONSTRAINT = new Map([
  ['result_batches_counts_add_up', 20],
  ['result_batches_idempotency', 3],
]);
/** The database is a standby or read-only for now. */
const READ_ONLY_SQLSTATE = '25006';
/**
 * Temporary failures: connection, rollback, resources, operator intervention, system errors, lock
 * time-out, read-only database.
 */
const UNAVAILABLE_SQLSTATES = new RegExp(`^(08|40|53|57|58|55P03$|${READ_ONLY_SQLSTATE}$)`);

export const connect: (databaseUrl: string) => Database = createNeonTransaction;

/**
 * Runs the statements as one transaction in one round trip.
 * @param shared values that stand for the caller
 * @param onReadOnly runs in place of `statements`, in a second trip, if the database is read-only
 * @throws ApiError SERVICE_UNAVAILABLE if Postgres cannot run them now. The client can send the same
 *   request again: nothing was written, or only the answer was lost.
 * @throws DatabaseError if Postgres refuses a statement, which is a bug of ours
 */
export async function transact<const S extends readonly [Statement, ...Statement[]]>(
  db: Database,
  statements: S,
  shared: SharedValues = {},
  onReadOnly?: S,
): Promise<Answers<S>> {
  const queries = statements.map(({ query, values }) => ({
    sql: query.sql,
    params: fillPlaceholders(query.params, { ...values, ...shared }),
  }));
  for (let attempt = 1; ; attempt++) {
    try {
      const answers = await db(queries);
      return answers.map((answer, index) => statements[index]?.read(answer)) as Answers<S>;
    } catch (error) {
      const failure = classify(error);
      if (onReadOnly && failure.sqlstate === READ_ONLY_SQLSTATE) {
        return transact(db, onReadOnly, shared);
      }
      if (attempt < failure.attempts) continue;
      if (!failure.unavailable && failure.attempts === 1) throw failure.error;
      throw databaseUnavailable(failure.error);
    }
  }
}

export const databaseUnavailable = (cause?: Error) =>
  unavailable('The database cannot do this now. Try again.', RETRY_AFTER_SECONDS, cause);

/** A refused statement. It omits Postgres' message, which may quote personal data. */
class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

type Failure = { error: Error; sqlstate?: string; attempts: number; unavailable: boolean };

function classify(error: unknown): Failure {
  if (error instanceof NeonDbError && error.code) {
    const { code, constraint, table, routine } = error;
    return {
      error: new DatabaseError(
        `SQLSTATE ${code} in ${routine ?? 'an unknown routine'}` +
          ` (table ${table ?? 'unknown'}, constraint ${constraint ?? 'none'})`,
      ),
      sqlstate: code,
      attempts: ATTEMPTS_BY_SQLSTATE.get(code) ?? ATTEMPTS_BY_CONSTRAINT.get(constraint ?? '') ?? 1,
      unavailable: UNAVAILABLE_SQLSTATES.test(code),
    };
  }
  // Without a SQLSTATE, the answer was lost or did not come from Postgres.
  if (error instanceof NeonDbError) return { error, attempts: 1, unavailable: true };
  if (error instanceof SyntaxError || error instanceof DOMException) {
    return { error: new Error(`Unreadable answer: ${error.name}`), attempts: 1, unavailable: true };
  }
  const unknown = error instanceof Error ? error : new Error(typeof error);
  return { error: unknown, attempts: 1, unavailable: false };
}
