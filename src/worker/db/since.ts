import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';

/**
 * A cursor: the oldest transaction that may still run during a statement. The statement sees all rows of earlier
 * transactions.
 */
export const CURSOR = sql`pg_snapshot_xmin(pg_current_snapshot())`;

const NEXT = sql`(select pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`;

type Followed = 'results' | 'registrations' | 'passings' | 'replaced_results' | 'result_batches';

/**
 * Whether a row may be newer than the statement that read this cursor. Postgres keeps 32 bits of the transaction that
 * wrote a row, also after freezing the row. For a row that is 2³² transactions old, the answer may be wrongly true.
 * @param cursor as bigint
 */
export const isSince = (table: Followed, cursor: SQL): SQL =>
  sql`((${sql.identifier(table)}.xmin::text::bigint - ${cursor}) & 4294967295) < ${NEXT} - ${cursor}`;

/**
 * A transaction number belongs to a single database and a single line of its history: another server, a restored dump
 * and a standby after a failover number anew. Neon gives each branch, and each restored branch, its own line.
 */
const IDENTITY = sql`(
  select concat_ws('/', system_identifier, timeline_id, database.oid,
    (select setting from pg_settings where name = 'neon.timeline_id'))
  from pg_control_system(), pg_control_checkpoint(), pg_database database
  where datname = current_database())`;

/** A copy's knowledge of the moment of its reading. */
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
