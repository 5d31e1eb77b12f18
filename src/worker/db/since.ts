import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';

/**
 * A cursor: the oldest transaction that may still run while a statement reads. Whatever an earlier one wrote, the statement
 * sees.
 */
export const CURSOR = sql`pg_snapshot_xmin(pg_current_snapshot())`;

const NEXT = sql`(select pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`;

type Followed = 'results' | 'registrations' | 'passings' | 'replaced_results' | 'result_batches';

/**
 * Whether a row may have been written since a statement that read this cursor. Postgres keeps 32 bits of the transaction
 * that wrote a row, also when it freezes the row. Of a row that is 2³² transactions old, it may be true in vain.
 * @param cursor as bigint
 */
export const isSince = (table: Followed, cursor: SQL): SQL =>
  sql`((${sql.identifier(table)}.xmin::text::bigint - ${cursor}) & 4294967295) < ${NEXT} - ${cursor}`;

/**
 * Numbers of transactions mean something in one database and on one line of its history: another server, a restored dump
 * and a standby that took over have others. Neon gives each branch, and each restored one, a line of its own.
 */
const IDENTITY = sql`(
  select concat_ws('/', system_identifier, timeline_id, database.oid,
    (select setting from pg_settings where name = 'neon.timeline_id'))
  from pg_control_system(), pg_control_checkpoint(), pg_database database
  where datname = current_database())`;

/** What a copy of a list knows of the moment that it was read. */
export const moment = () =>
  z.strictObject({
    /** The cursor from which the next reading goes on. */
    cursor: z.string(),
    /** How many rows the list has. */
    total: z.int(),
    identity: z.string(),
  });

export type Moment = z.output<ReturnType<typeof moment>>;

/** The columns of a Moment, of a list with so many rows. */
export const momentOf = (total: SQL): SQL =>
  sql`${CURSOR}::text as cursor, ${total}::int as total, ${IDENTITY} as identity`;
