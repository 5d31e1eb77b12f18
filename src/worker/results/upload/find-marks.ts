import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { namesOfPoints, pointRow, pointsOf, startOf } from '../../db/starts.ts';
import { type Slots, statement } from '../../db/statement.ts';
import { bySender } from '../sender.ts';
import type { textArray } from './column.ts';

/** The evidence comes from the first and the last runners at each point. A race of laps has more points. */
const POINTS_MAX = sql.raw('40');

const RUNNERS_OF_POINT = sql.raw('40');

const MARKS_MAX = sql.raw('40');

/** A time at a point, or null at the finish, and when the time was stored. Instants are epoch milliseconds. */
const markItems = () => z.tuple([z.nullable(z.string()), z.int(), z.int()]);

const marksRow = () =>
  z.strictObject({
    nowMs: z.int(),
    points: z.array(pointRow()),
    /** A runner: bib, distance, start, times. */
    runners: z.array(
      z.tuple([
        z.nullable(z.string()),
        z.nullable(z.string()),
        z.nullable(z.int()),
        z.array(markItems()),
      ]),
    ),
  });

export type MarksRow = z.output<ReturnType<typeof marksRow>>;

const EVENT_ID = sql`(select id from event)`;

type OfMarks = {
  eventId: string;
  /** Bibs of further runners, as an array of Postgres. */
  bibs: ReturnType<typeof textArray>;
};

/**
 * The times of some runners at the points and the finish: a bounded number, whatever the size of the event. No row if
 * the event is not the caller's.
 */
export const findMarks = bySender(({ ownEvent, kind }) =>
  statement(
    `findMarks.${kind}`,
    marksRow,
    ({ eventId, bibs }: Slots<OfMarks>) => sql`
    with event as materialized (${ownEvent(eventId)}),
    sample as materialized (
      select registration_id from (select point from (${namesOfPoints(EVENT_ID)}) named limit ${POINTS_MAX}) named
      cross join lateral (
        (select registration_id from passings where event_id = ${EVENT_ID} and passings.point = named.point
          order by time_ms, registration_id limit ${RUNNERS_OF_POINT})
        union all
        (select registration_id from passings where event_id = ${EVENT_ID} and passings.point = named.point
          order by time_ms desc, registration_id desc limit ${RUNNERS_OF_POINT})
      ) near
      union
      select id from registrations where event_id = ${EVENT_ID} and bib_number = any(${bibs}::text[])
    ),
    runner as materialized (
      select registration.* from sample cross join lateral (
        select id, bib_number, distance from registrations
        where id = registration_id and event_id = ${EVENT_ID} offset 0
      ) registration
    ),
    seen as materialized (
      select bib_number, distance, (
          select (extract(epoch from start.starts_at) * 1000)::bigint
          from (${startOf({ eventId: EVENT_ID, bib: sql`runner.bib_number`, distance: sql`runner.distance` })}) start
        ) as start_ms, coalesce((
          select json_agg(json_build_array(point, time_ms, (extract(epoch from at) * 1000)::bigint) order by time_ms)
          from (
            (select point, time_ms, received_at as at from passings
              where registration_id = runner.id and event_id = ${EVENT_ID} order by time_ms limit ${MARKS_MAX})
            union all
            select null, coalesce(gun_time_ms, chip_time_ms), updated_at from results
            where registration_id = runner.id and event_id = ${EVENT_ID} and finish_time_ms is not null
          ) mark
        ), '[]') as marks
      from runner
    )
    select floor(extract(epoch from now()) * 1000)::float8 as "nowMs", ${pointsOf(sql`event.id`)} as points,
      coalesce((select json_agg(json_build_array(bib_number, distance, start_ms, marks)) from seen), '[]') as runners
    from event`,
  ),
);
