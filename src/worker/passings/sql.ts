import { type SQL, sql } from 'drizzle-orm';

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
