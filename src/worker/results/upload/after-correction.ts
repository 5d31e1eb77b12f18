import { type SQL, sql } from 'drizzle-orm';

const EVENT_ID = sql`(select event_id from target)`;

/** Whether a point saw a runner. @param registrationId SQL for the runner's registration */
export const hasPassing = (registrationId: SQL): SQL =>
  sql`exists (select from passings where passings.registration_id = ${registrationId})`;

/** Whether somebody told the starts of the event. Without starts nobody has moved a start. */
export const HAS_STARTS = sql`exists (select from event_starts where event_id = ${EVENT_ID})`;

/**
 * Whether a row equals the result before the shift of its start, and the shifted result is stored: the timing software
 * still has the old gun.
 * @param stored SQL for the stored result
 * @param sent SQL for the row
 */
export const isOldGun = (stored: SQL, sent: SQL): SQL => sql`(
      ${HAS_STARTS} and (${stored}).registration_id is not null and exists (
        select from (
          select replaced_by, status, chip_time_ms, gun_time_ms from replaced_results
          where replaced_results.registration_id = (${stored}).registration_id order by id desc limit 1
        ) latest
        where replaced_by = coalesce((${stored}).restored_by, (${stored}).batch_id)
          and (latest.status, latest.chip_time_ms, latest.gun_time_ms)
            is not distinct from (${sent}.status, ${sent}.chip_time_ms, ${sent}.gun_time_ms)
          and (latest.status, latest.chip_time_ms, latest.gun_time_ms)
            is distinct from ((${stored}).status, (${stored}).chip_time_ms, (${stored}).gun_time_ms)
          and exists (select from result_batches where id = replaced_by and source = 'shift')
      )
    )`;
