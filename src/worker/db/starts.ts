import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';

/** SQL for the number of a bib of digits alone; null for a bib outside every range. As `bibNumberOf`. */
const bibNumberOf = (bib: SQL): SQL =>
  sql`case when ${bib} ~ '^[0-9]{1,12}$' then ${bib}::bigint end`;

/**
 * The start of a runner, as a query of at most one row of `columns` of `event_starts`. As `startOf`.
 * @param runner SQL for the event, the bib and the distance
 */
export const startOf = (
  runner: { eventId: SQL; bib: SQL; distance: SQL },
  columns: SQL = sql`starts_at`,
): SQL => sql`
  select ${columns} from event_starts
  where event_id = ${runner.eventId} and (distance is null or distance = ${runner.distance})
    and (bib_from is null or ${bibNumberOf(runner.bib)} between bib_from and bib_to)
  order by bib_from is null, distance is null limit 1`;

/** An instant as sent: with its offset from UTC. */
const TOLD_AT = sql`
  to_char(
      starts_at at time zone 'UTC' + make_interval(mins => coalesce(utc_offset_minutes, 0)),
      'YYYY-MM-DD"T"HH24:MI:SS.MS'
    )
    || case when utc_offset_minutes is null then 'Z' else
      case when utc_offset_minutes < 0 then '-' else '+' end
        || to_char(make_interval(mins => abs(utc_offset_minutes)), 'HH24:MI') end`;

/** The schema of `START_JSON`. */
export const startRow = () =>
  z.strictObject({
    name: z.string(),
    distance: z.nullable(z.string()),
    bib_from: z.nullable(z.int()),
    bib_to: z.nullable(z.int()),
    starts_at: z.string(),
  });

/** A start as JSON, over the columns of `event_starts`. */
export const START_JSON = sql`json_build_object('name', name, 'distance', distance,
  'bib_from', bib_from, 'bib_to', bib_to,
    'starts_at', ${TOLD_AT})`;

/** The starts of an event as a JSON array, in the sent order. */
export const startsOf = (eventId: SQL): SQL => sql`coalesce((
    select json_agg(${START_JSON} order by ordinal) from event_starts where event_id = ${eventId}
  ), '[]')`;

/** The schema of `POINT_JSON`. */
export const pointRow = () =>
  z.strictObject({
    name: z.string(),
    distance: z.nullable(z.string()),
    order: z.int(),
    km: z.nullable(z.number()),
  });

/** A point of the course as JSON, over the columns of `event_points`. */
export const POINT_JSON = sql`json_build_object('name', name, 'distance', distance, 'order', course_order, 'km', km)`;

/** The sent points of an event as a JSON array, in their order. */
export const pointsOf = (eventId: SQL): SQL => sql`coalesce((
    select json_agg(${POINT_JSON} order by ordinal) from event_points where event_id = ${eventId}
  ), '[]')`;

/**
 * The names of an event's points, each found by a single look into the index: the passings between two names are not
 * read.
 * @param eventId SQL for the event's id
 */
export const namesOfPoints = (eventId: SQL): SQL => sql`
  with recursive named as (
    select min(point) as point from passings where event_id = ${eventId}
    union all
    select (select min(point) from passings where event_id = ${eventId} and point > named.point)
    from named where point is not null
  )
  select point from named where point is not null`;
