import { type SQL, sql } from 'drizzle-orm';
import { namesOfPoints } from '../db/starts.ts';
import type { Slot, Slots } from '../db/statement.ts';
import { HAS_STARTS } from '../results/upload/after-correction.ts';
import type { PassingValues } from './batch.ts';

/** The rows of an upload as a table, numbered by `ordinal` from 1 on. */
export const inputOf = (
  { bibs, pointsOf, timesMs }: Slots<Omit<PassingValues, 'points'>>,
  points: SQL,
): SQL => sql`(
        select bib_number, point, time_ms, ordinal
        from unnest(${bibs}::text[], ${pointsOf}::int[], ${timesMs}::bigint[])
          with ordinality as sent (bib_number, point_ordinal, time_ms, ordinal)
        join ${points} using (point_ordinal)
      ) as row`;

/**
 * Whether a time equals the passing before the shift of its start, and the shifted passing is stored.
 * @param stored SQL for the stored passing, with `registration_id`, `point`, `time_ms` and `upload_id`
 * @param sent SQL for the row
 */
export const isOldGun = (stored: SQL, sent: SQL): SQL => sql`(
      ${HAS_STARTS} and ${stored}.upload_id is not null and ${stored}.time_ms <> ${sent}.time_ms and exists (
        select from (
          select replaced_by, time_ms from replaced_passings
          where replaced_passings.registration_id = ${stored}.registration_id
            and replaced_passings.point = ${stored}.point
          order by id desc limit 1
        ) latest
        where replaced_by = ${stored}.upload_id and latest.time_ms = ${sent}.time_ms
          and exists (select from passing_uploads where id = replaced_by and source = 'shift')
      )
    )`;

/**
 * A name without differences that people do not see: its case, the kind and number of its blanks, the form of its
 * accents.
 */
const folded = (name: Slot | SQL): SQL => sql`lower(normalize(regexp_replace(regexp_replace(
    ${name}, '[\\u00ad\\u180e\\u200b\\u2060-\\u2064\\ufeff]', '', 'g'),
    '[ \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]+', ' ', 'g')))`;

const foldedPointsOf = (eventId: SQL): SQL =>
  sql`select point, ${folded(sql`point`)} as folded from (${namesOfPoints(eventId)}) known`;

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
      select point_ordinal, sent,
        ${nameIn(sql`known_points`, eventId, sql`sent`, sql`sent_point.folded`)} as known
      from (
        select point_ordinal, sent, ${folded(sql`sent`)} as folded
        from unnest(${points}::text[]) with ordinality as sent_point (sent, point_ordinal) offset 0
      ) sent_point
    ),
    sent_points as materialized (
      select point_ordinal, known is null as is_new,
        case when row_number() over (partition by known order by known = sent desc, point_ordinal) = 1
          then coalesce(known, sent) else sent end as point
      from found_points
    )`;
