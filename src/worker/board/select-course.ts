import { type SQL, sql } from 'drizzle-orm';
import { type OfEvent, type Slots, statement } from '../db/statement.ts';
import { absentOf } from '../db/statuses.ts';
import { documentRow, groupText, selectDocument } from './queries.ts';
import { FIRST_PASSERS, LATEST_PASSERS, POINTS_MAX } from './schemas.ts';

/** The passings of a race at a point are counted by spans of this time. */
export const SPAN_MS = 60_000;

/**
 * The first passings of `counted` in the order, as a JSON array. Only the spans of these passings are read: the runners
 * of a small race may be anywhere among many runners of other races.
 * @param earlier the column of `near` with the count of passings in earlier spans
 */
const passingsOf = (earlier: 'before' | 'after', count: number): SQL => {
  const direction = sql.raw(earlier === 'before' ? 'asc' : 'desc');
  const first = sql`order by time_ms ${direction}, registration_id ${direction} limit ${sql.raw(String(count))}`;
  return sql`array(
    select json_build_object('id', encode(uuid_send(registration_id), 'hex'), 'time_ms', time_ms)
    from near cross join lateral (
      select registration_id, time_ms from passings
      where event_id = (select id from fitting) and passings.point = near.point
        and time_ms between near.fastest_ms and near.slowest_ms
        and (
          select ${groupText(sql`distance`)} from registrations where id = registration_id
        ) = near.distance
      ${first}
    ) as passing
    where near.distance = counted.distance and near.point = counted.point
      and ${sql.raw(earlier)} < ${sql.raw(String(count))}
    ${first}
  )`;
};

/** The points of each race before the finish with the most passings, and the points that the organization told. */
export const selectCourse = statement('selectCourse', documentRow, ({ eventId }: Slots<OfEvent>) =>
  selectDocument(eventId, {
    condition: sql`true`,
    grouped: sql`
      with ${absentOf(sql`(select id from fitting)`)},
      span as materialized (
        select distance, point, time_ms / ${sql.raw(String(SPAN_MS))} as number, count(*) as passed,
          min(time_ms) as fastest_ms, max(time_ms) as slowest_ms
        from passings join (
          -- With a view or a further condition inside, the planner would take the join for small, and sort all
          -- passings. So a runner who did not start has the distance null, and is left out of the groups.
          select id as registration_id,
            case when id not in (select registration_id from absent) then ${groupText(sql`distance`)} end as distance
          from registrations where event_id = (select id from fitting) offset 0
        ) as registration using (registration_id)
        where event_id = (select id from fitting)
        group by 1, 2, 3
      ),
      counted as materialized (
        select distance, point, sum(passed)::bigint as passed, min(fastest_ms) as fastest_ms,
          array_agg(array[number, passed, fastest_ms, slowest_ms] order by number) as spans
        from span where distance is not null
        group by 1, 2 order by passed desc, fastest_ms limit ${sql.raw(String(POINTS_MAX))}
      ),
      -- The spans with the first and the last passings of their races.
      near as materialized (
        select * from (
          select distance, point, span.fastest_ms, slowest_ms,
            sum(span.passed) over (race order by number) - span.passed as before,
            sum(span.passed) over (race order by number desc) - span.passed as after
          from span join counted using (distance, point)
          window race as (partition by distance, point)
        ) as placed
        where before < ${sql.raw(String(FIRST_PASSERS))} or after < ${sql.raw(String(LATEST_PASSERS))}
      )
      select counted.*, ${passingsOf('before', FIRST_PASSERS)} as first,
        ${passingsOf('after', LATEST_PASSERS)} as latest, told.km, told.course_order
      from counted left join lateral (
        select km, course_order from event_points
        where event_id = (select id from fitting) and lower(name) = lower(counted.point)
          and (event_points.distance is null or event_points.distance = counted.distance)
        order by event_points.distance is null limit 1
      ) told on true
      union all
      (select distance, name, 0, null, '{}', '{}', '{}', km, course_order
      from event_points where event_id = (select id from fitting)
      order by ordinal limit ${sql.raw(String(POINTS_MAX))})`,
    // Reading a passing costs a fifth of reading a runner.
    runners: sql`(select sum(passed) / 5 from grouped)`,
    document: sql`coalesce((select json_agg(grouped order by course_order, fastest_ms) from grouped), '[]')`,
  }),
);
