import { sql } from 'drizzle-orm';
import { command, type OfEvent, type Slots, type Statement } from '../db/statement.ts';
import { bySender, type SenderKind } from '../results/sender.ts';
import type { PassingBatch, PassingValues } from './batch.ts';
import { equalPoint } from './sql.ts';

type PointsOfEvent = Pick<PassingValues, 'points'> & OfEvent;

/**
 * Precedes `storePassings`: uploads with new points of an event write in turn, so that each upload counts the points of
 * the uploads before. The lock needs a separate statement, because a statement does not see rows written during its
 * wait.
 */
export const lockNewPoints = (
  eventId: string,
  { loadable }: PassingBatch,
  by: SenderKind,
): Statement => lockPoints[by]({ eventId, points: loadable.values.points });

const lockPoints = bySender(({ ownEvent, kind }) =>
  command(
    `lockPoints.${kind}`,
    ({ eventId, points }: Slots<PointsOfEvent>) => sql`
    with event as materialized (${ownEvent(eventId)})
    select pg_advisory_xact_lock(hashtextextended('points ' || event.id, 0)) from event
    where exists (
      select from unnest(${points}::text[]) as sent (point)
      where ${equalPoint(sql`(select id from event)`, sql`sent.point`)} is null
    )`,
  ),
);
