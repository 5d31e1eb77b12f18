import { type SQL, sql } from 'drizzle-orm';

const LOCK_WAIT_MS = 3_000;

/** SQL that limits how long a transaction waits for a lock. */
export const LIMIT_LOCK_WAIT: SQL = sql`set_config('lock_timeout', '${sql.raw(String(LOCK_WAIT_MS))}', true)`;
