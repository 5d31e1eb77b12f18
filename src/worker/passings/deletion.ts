import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Slots, statement, total } from '../db/statement.ts';
import { bySender } from '../results/sender.ts';
import { applyPassings, STORED_PASSING } from './change.ts';
import { knownPoint } from './sql.ts';

type OfPoint = { eventId: string; point: string };

/** How many passings a point has; no row if the event is not the caller's. */
export const countPassings = bySender(({ ownEvent, kind }) =>
  statement(
    `countPassings.${kind}`,
    total,
    ({ eventId, point }: Slots<OfPoint>) => sql`
    with event as materialized (${ownEvent(eventId)})
    select (
      select count(*)::int from passings
      where event_id = event.id and point = ${knownPoint(sql`event.id`, point)}
    ) as total
    from event`,
  ),
);

const deletedRow = () => z.strictObject({ upload_id: z.nullable(z.guid()), total: z.int() });

const EVENT_ID = sql`(select event_id from target)`;

/**
 * Deletes the passings of a point, as an upload that a user can revert. Answers how many, or no row if the event is not
 * the caller's.
 */
export const deletePassings = bySender(({ target, userId, kind }) =>
  statement(
    `deletePassingsOfPoint.${kind}`,
    deletedRow,
    ({ eventId, point, uploadId }: Slots<OfPoint & { uploadId: string }>) => sql`
    with target as materialized (${target(eventId)}),
    -- Locked in the order of uploads.
    changed as materialized (
      select registration_id, point, null::bigint as time_ms, null::uuid as upload_id, ${STORED_PASSING} from passings
      where event_id = ${EVENT_ID} and point = ${knownPoint(EVENT_ID, point)}
      order by registration_id for update
    ),
    ${applyPassings({
      uploadId,
      facts: {
        user_id: sql`${userId}::text`,
        source: sql`'delete'`,
        deleted_point: sql`(select point from changed limit 1)`,
        total_processed: sql`(select count(*) from changed)`,
      },
      when: sql`exists (select from changed)`,
      withdraws: 'any',
    })}
    select (select id from recorded) as upload_id, (select count(*)::int from changed) as total from target`,
  ),
);
