import { sql } from 'drizzle-orm';
import { type Slots, statement } from '../db/statement.ts';
import { isOfAbsent } from '../db/statuses.ts';
import { bySender, type SenderKind } from '../results/sender.ts';
import { comparedRow, comparison } from '../results/upload/compare.ts';
import type { PassingBatch, PassingValues } from './batch.ts';
import { inputOf, isOldGun, knownPoint } from './sql.ts';

/**
 * Compares the passings of a point with the event in a single statement and writes nothing. Answers a `Compared`, or
 * none if the event is not the caller's.
 */
export const comparePassings = (
  eventId: string,
  point: string,
  { loadable }: PassingBatch,
  by: SenderKind,
) => compareRows[by]({ ...loadable.values, eventId, point });

const compareRows = bySender(({ ownEvent, kind }) =>
  statement(
    `comparePassings.${kind}`,
    comparedRow,
    (batch: Slots<PassingValues & { eventId: string; point: string }>) =>
      comparison({
        ownEvent: ownEvent(batch.eventId),
        input: inputOf(batch, sql`(values (1, ${batch.point}::text)) known (point_ordinal, point)`),
        found: sql`
      select ordinal::int as ordinal, registration.status = 'CANCELLED' as is_cancelled,
        stored.registration_id is null as is_new, stored.time_ms <> input.time_ms as is_other_time,
        false as is_other_splits, false as loses_split, false as loses_gun_time, false as is_reinstated,
        coalesce(${isOfAbsent(sql`outcome.status`)}, false) as is_dns_with_passing,
        ${isOldGun(sql`stored`, sql`input`)} as is_old_gun
      from input
        join registrations registration
          on registration.event_id = (select event_id from target)
          and registration.bib_number = input.bib_number
        left join passings stored on stored.registration_id = registration.id
          and stored.point = ${knownPoint(sql`(select event_id from target)`, batch.point)}
        left join results outcome on outcome.registration_id = registration.id
          and outcome.event_id = registration.event_id`,
        stored: sql`
        select count(*)::int from passings
        where event_id = target.event_id and passings.point = ${knownPoint(sql`target.event_id`, batch.point)}`,
        // Passings have no batches.
        latestBatchRows: sql`null::int`,
        // A part of a race says nothing of how long the race takes.
        distances: sql`'[]'::json`,
        ranking: sql`null::json`,
        changes: sql`select '[]'::json`,
      }),
  ),
);
