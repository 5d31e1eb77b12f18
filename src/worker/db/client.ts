import { NeonDbError } from '@neondatabase/serverless';
import { fillPlaceholders } from 'drizzle-orm';
import { ApiError, unavailable } from '../errors.ts';
import { createNeonTransaction, type NeonTransaction } from './neon-transport.ts';
import type { Statement } from './statement.ts';

/** Runs queries as a transaction. */
export type Database = NeonTransaction;

/** The rows of each statement, in the order of the statements. */
export type Answers<S extends readonly Statement[]> = {
  -readonly [I in keyof S]: S[I] extends Statement<infer Rows> ? Rows : never;
};

/** Values of the placeholders in all statements of a transaction. No statement can replace a shared value. */
type SharedValues = Record<string, unknown>;

const RETRY_AFTER_SECONDS = 2;
/** The time for a transaction with all its attempts, unless a statement sets its own budget. */
export const READ_BUDGET_MS = 8_000;
/** The wait before another attempt is random, so that transactions with a shared failure part. */
const BACK_OFF_MS = 10;
const BACK_OFF_MAX_MS = 500;
/**
 * Attempts after a failure that only a concurrent transaction can cause, by SQLSTATE or by the name of a constraint.
 * The next attempt sees the rows of the concurrent transaction.
 * - 40P01 and 40001: a deadlock, and a serialization failure.
 * - 23503: a foreign key, whose row the concurrent transaction deleted or moved.
 * - 23505: a unique constraint, whose row the concurrent transaction inserted. An idempotency key then answers for the
 *   first upload, and a swap of two runners moves the new passing too.
 * - result_batches_counts_add_up: the concurrent transaction inserted the first result of a bib, or took a result away.
 * - passing_uploads_counts_add_up: the concurrent transaction inserted or took away a passing.
 */
const ATTEMPTS = new Map([
  ['40P01', 3],
  ['40001', 3],
  ['23503', 3],
  ['23505', 3],
  ['result_batches_counts_add_up', 20],
  ['passing_uploads_counts_add_up', 20],
]);
/** Another transaction has held a lock for longer than `lock_timeout`. */
const LOCK_SQLSTATE = '55P03';
/** The database is a standby or read-only for now. */
const READ_ONLY_SQLSTATE = '25006';
/** A table, a column or a function is missing: the database lacks a migration, or the half of a migration. */
const UNMIGRATED_SQLSTATES = ['42P01', '42703', '42883'];
/**
 * Temporary failures: connection, rollback, resources, operator intervention, system errors, lock
 * time-out, read-only database, missing migrations.
 */
const UNAVAILABLE_SQLSTATES = new RegExp(
  `^(08|40|53|57|58|${[LOCK_SQLSTATE, READ_ONLY_SQLSTATE, ...UNMIGRATED_SQLSTATES].join('|')})`,
);

export const connect: (databaseUrl: string) => Database = createNeonTransaction;

/**
 * Runs the statements as a transaction in a single round trip. A single deadline covers all attempts: the longest
 * budget of the statements. The last statement may be streamed: the deadline ends with its first row.
 * @param shared values of the caller's placeholders
 * @param isRead whether no statement writes. Then all statements read the data of a single moment; `isOneMoment` on a
 *   statement does so too
 * @throws ApiError SERVICE_UNAVAILABLE if Postgres cannot run the statements now. The client can repeat the request:
 *   Postgres wrote nothing, or only the answer was lost.
 * @throws DatabaseError if Postgres refuses a statement, which is a bug of ours
 */
export async function transact<const S extends readonly [Statement, ...Statement[]]>(
  db: Database,
  statements: S,
  shared: SharedValues = {},
  isRead = false,
): Promise<Answers<S>> {
  const sent = statements.flatMap(withBefore);
  const options = {
    isStreamed: statements.at(-1)?.isStreamed,
    isOneMoment: isRead || sent.some((statement) => statement.isOneMoment),
  };
  const budgetMs = Math.max(...sent.map((statement) => statement.budgetMs ?? READ_BUDGET_MS));
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), budgetMs);
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        const answers = await db(sent.map(queryWith(shared)), deadline.signal, options);
        const read = answers.flatMap((answer, at) => {
          const statement = sent[at];
          return statement && statements.includes(statement) ? [statement.read(answer)] : [];
        });
        return read as Answers<S>;
      } catch (error) {
        const failure = classify(error);
        if (attempt < failure.attempts && !deadline.signal.aborted) {
          await backOff(attempt);
        } else if (failure.unavailable || failure.attempts > 1) {
          throw databaseUnavailable(failure.error);
        } else {
          throw failure.error;
        }
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

const withBefore = (statement: Statement): Statement[] => [
  ...(statement.before ?? []).flatMap(withBefore),
  statement,
];

const queryWith =
  (shared: SharedValues) =>
  ({ query, values }: Statement) => ({
    sql: query.sql,
    params: fillPlaceholders(query.params, { ...values, ...shared }),
  });

const backOff = (attempt: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * Math.min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** attempt));
  });

export const databaseUnavailable = (cause?: Error) =>
  unavailable('The database cannot do this now. Try again.', RETRY_AFTER_SECONDS, cause);

/** Whether `transact` failed because another transaction holds a lock. */
export const isLockTimeout = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.cause instanceof DatabaseError &&
  error.cause.sqlstate === LOCK_SQLSTATE;

/** A refused statement. The error omits Postgres' message, which may quote personal data. */
class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly sqlstate: string;

  constructor(sqlstate: string, { routine, table, constraint }: NeonDbError) {
    super(
      `SQLSTATE ${sqlstate} in ${routine ?? 'an unknown routine'}` +
        ` (table ${table ?? 'unknown'}, constraint ${constraint ?? 'none'})`,
    );
    this.sqlstate = sqlstate;
  }
}

type Failure = { error: Error; attempts: number; unavailable: boolean };

function classify(error: unknown): Failure {
  if (error instanceof NeonDbError && error.code) {
    const { code, constraint } = error;
    return {
      error: new DatabaseError(code, error),
      attempts: ATTEMPTS.get(code) ?? ATTEMPTS.get(constraint ?? '') ?? 1,
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
