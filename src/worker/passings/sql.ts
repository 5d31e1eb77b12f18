import { type SQL, sql } from 'drizzle-orm';
import type { Slot, Slots } from '../db/statement.ts';
import type { PassingValues } from './batch.ts';

/** The rows of an upload as a table, numbered by `place` from 1 on. */
export const inputOf = (
  { bibs, pointsOf, timesMs }: Slots<Omit<PassingValues, 'points'>>,
  points: SQL,
): SQL => sql`(
        select bib_number, point, time_ms, place
        from unnest(${bibs}::text[], ${pointsOf}::int[], ${timesMs}::bigint[])
          with ordinality as sent (bib_number, point_place, time_ms, place)
        join ${points} using (point_place)
      ) as row`;

/**
 * The names of an event's points, each found by a single look into the index: the passings between two names are not
 * read.
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

/**
 * A name without differences that people do not see: its case, the kind and number of its blanks, the form of its
 * accents.
 */
const folded = (name: Slot | SQL): SQL => sql`lower(normalize(regexp_replace(regexp_replace(
    ${name}, '[\\u00ad\\u180e\\u200b\\u2060-\\u2064\\ufeff]', '', 'g'),
    '[ \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]+', ' ', 'g')))`;

const foldedPointsOf = (eventId: SQL): SQL =>
  sql`select point, ${folded(sql`point`)} as folded from (${pointsOf(eventId)}) known`;

/**
 * The name of a point, if an event has a passing of exactly this name. The order makes PostgreSQL read a single row of
 * an index. Without the order PostgreSQL expects an early hit and reads the table, where passings of other points may
 * stand first.
 */
export const equalPoint = (eventId: SQL, name: SQL): SQL => sql`(
      select point from passings where event_id = ${eventId} and point = ${name} order by time_ms limit 1
    )`;

/** An event's name of a point; null without such a point. Similar names are read only without an equal name. */
const nameIn = (points: SQL, eventId: SQL, name: SQL, foldedName: SQL): SQL => sql`coalesce(
    ${equalPoint(eventId, name)},
    (select point from ${points} where folded = ${foldedName} order by point limit 1)
  )`;

/** The event's name of the point `name`; `name` if the event has no such point. */
export const knownPoint = (eventId: SQL, name: Slot): SQL => {
  const asked = sql`${name}::text`;
  const known = nameIn(sql`(${foldedPointsOf(eventId)}) known`, eventId, asked, folded(asked));
  return sql`coalesce(${known}, ${asked})`;
};

/**
 * CTEs that end with `sent_points`: the points of an upload under their names in the event. If two sent points are a
 * single point of the event, the second point keeps its name: a row would be written twice.
 */
export const sentPoints = (eventId: SQL, points: Slot): SQL => sql`
    known_points as materialized (${foldedPointsOf(eventId)}),
    found_points as materialized (
      select point_place, sent,
        ${nameIn(sql`known_points`, eventId, sql`sent`, sql`sent_point.folded`)} as known
      from (
        select point_place, sent, ${folded(sql`sent`)} as folded
        from unnest(${points}::text[]) with ordinality as sent_point (sent, point_place) offset 0
      ) sent_point
    ),
    sent_points as materialized (
      select point_place, known is null as is_new,
        case when row_number() over (partition by known order by known = sent desc, point_place) = 1
          then coalesce(known, sent) else sent end as point
      from found_points
    )`;
