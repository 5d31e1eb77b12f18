import { type SQL, sql } from 'drizzle-orm';

/**
 * A cursor: the oldest transaction that may still run while a statement reads. Whatever an earlier one wrote, the statement
 * sees.
 */
export const CURSOR = sql`pg_snapshot_xmin(pg_current_snapshot())`;

const NEXT = sql`(select pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`;

/**
 * Whether a row may have been written since a statement that read this cursor. Postgres keeps 32 bits of the transaction
 * that wrote a row, also when it freezes the row. Of a row that is 2³² transactions old, it may be true in vain.
 * @param cursor as bigint
 */
export const isSince = (table: 'results' | 'registrations' | 'passings', cursor: SQL): SQL =>
  sql`((${sql.identifier(table)}.xmin::text::bigint - ${cursor}) & 4294967295) < ${NEXT} - ${cursor}`;
