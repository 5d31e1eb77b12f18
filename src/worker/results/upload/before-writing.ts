import { sql } from 'drizzle-orm';
import { LIMIT_LOCK_WAIT } from '../../db/locks.ts';
import { command, following, type Slots, type Statement } from '../../db/statement.ts';

/** The time for a transaction with the largest batch. */
export const WRITE_BUDGET_MS = 30_000;

/** A batch of more rows is joined with the whole event. */
const LOOKED_UP_MAX = 100;

/**
 * Precedes the statements that write results. Postgres keeps the plans of foreign keys for a session: a plan from the
 * time of tiny tables would read a whole table for each row.
 */
const discardPlans = command('discardPlans', () => sql`discard plans`);

/**
 * For a transaction that writes results: the limits, and the plan. Without statistics the planner would join many rows
 * in nested loops. Compiling the plan takes a fourth of the run time.
 */
const limited = command(
  'limitBatch',
  ({ rows }: Slots<{ rows: number }>) => sql`
  select ${LIMIT_LOCK_WAIT},
    set_config('statement_timeout', '${sql.raw(String(WRITE_BUDGET_MS))}', true),
    set_config('jit', 'off', true),
    set_config(
      'enable_nestloop',
      case when ${rows}::int > ${LOOKED_UP_MAX} then 'off' else 'on' end, true)`,
);

/** The statements before a statement that writes results: `rows` results, or any number. */
export const beforeWriting = (rows = LOOKED_UP_MAX + 1) =>
  [discardPlans({}), limited({ rows })] as const;

/** A statement that writes results, behind `beforeWriting` and further statements. */
export const writing = <Rows>(
  before: readonly Statement[],
  statement: Statement<Rows>,
): Statement<Rows> => ({ ...following(before, statement), budgetMs: WRITE_BUDGET_MS });
