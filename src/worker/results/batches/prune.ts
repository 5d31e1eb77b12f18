import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Database, transact } from '../../db/client.ts';
import { LIMIT_LOCK_WAIT } from '../../db/locks.ts';
import { command, following, type Slots, statement } from '../../db/statement.ts';
import type { Log } from '../../log.ts';
import { WRITE_BUDGET_MS } from '../upload/before-writing.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A run takes a minute or two. The next run takes the rest. */
const STEPS_MAX = 100;

const limited = command(
  'limitPrune',
  () => sql`
  select ${LIMIT_LOCK_WAIT},
    set_config('statement_timeout', '${sql.raw(String(WRITE_BUDGET_MS))}', true)`,
);

const prune = statement(
  'pruneHistory',
  () => z.strictObject({ uploads: z.int() }),
  ({ until }: Slots<{ until: string }>) =>
    sql`select prune_history(${until}::timestamptz) as uploads`,
);

type Pruning = {
  db: Database;
  log: Log;
  now: () => Date;
  keepHistoryDays: number | 'broken' | undefined;
};

/**
 * Deletes the uploads older than `keepHistoryDays`, with the results that they replaced. Results stay; a deleted upload
 * can no longer be listed or reverted. Each step is a short transaction.
 * @throws Error if KEEP_HISTORY_DAYS is malformed, or the database does not answer
 */
export async function pruneHistory(
  { db, log, now, keepHistoryDays }: Pruning,
  stepsMax = STEPS_MAX,
): Promise<void> {
  if (keepHistoryDays === undefined) return;
  if (keepHistoryDays === 'broken') throw new Error('KEEP_HISTORY_DAYS is malformed.');
  const until = new Date(now().getTime() - keepHistoryDays * DAY_MS).toISOString();
  let rows = 0;
  for (let step = 0; step < stepsMax; step += 1) {
    const pruned = { ...prune({ until }), budgetMs: WRITE_BUDGET_MS };
    const [[deleted]] = await transact(db, [following([limited({})], pruned)]);
    if (!deleted?.uploads) break;
    rows += deleted.uploads;
  }
  log.info({ level: 'info', message: 'The history of uploads was pruned', rows });
}
