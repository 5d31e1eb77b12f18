import { type SQL, sql } from 'drizzle-orm';
import type { Slots } from '../db/statement.ts';
import type { PassingValues } from './batch.ts';

/** The rows of an upload as a table, numbered by `place` from 1 on. */
export const inputOf = ({ bibs, pointsOf, timesMs, points }: Slots<PassingValues>): SQL => sql`(
        select bib_number, (${points}::text[])[point_place] as point, time_ms, place
        from unnest(${bibs}::text[], ${pointsOf}::int[], ${timesMs}::bigint[])
          with ordinality as sent (bib_number, point_place, time_ms, place)
      ) as row`;

/**
 * The names of an event's points, each found by one look into the index: the passings between two names are not read.
 * @param eventId SQL for the event's id
 */
export const pointsOf = (eventId: SQL): SQL => sql`
  with recursive named as (
    select min(point) as point from passings where event_id = ${eventId}
    union all
    select (select min(point) from passings where event_id = ${eventId} and point > named.point)
    from named where point is not null
  )
  select point from named where point is not null`;
