-- selectCourse
with event as materialized (
  select id, name, city, event_date, time_zone, coalesce((
      select "board_names" from event_settings where event_settings.event_id = events.id
    ), 'none') as board_names,
  left(coalesce((
        select "board_code" from event_settings where event_settings.event_id = events.id
      ), null), 4) || '-' || right(coalesce((
        select "board_code" from event_settings where event_settings.event_id = events.id
      ), null), 4) as board_code,
  coalesce((
      select "ranking_rule" from event_settings where event_settings.event_id = events.id
    ), 'chip') as rank_by, coalesce((
      select json_agg(json_build_object('name', name, 'distance', distance,
          'bib_from', bib_from, 'bib_to', bib_to,
          'starts_at',
          to_char(
            starts_at at time zone 'UTC' + make_interval(mins => coalesce(utc_offset_minutes, 0)),
            'YYYY-MM-DD"T"HH24:MI:SS.MS'
          )
          || case when utc_offset_minutes is null then 'Z' else
          case when utc_offset_minutes < 0 then '-' else '+' end
          || to_char(make_interval(mins => abs(utc_offset_minutes)), 'HH24:MI') end) order by ordinal) from event_starts where event_id = events.id
    ), '[]') as starts
  from events where id = $eventId and coalesce((
      select "board_enabled" from event_settings where event_settings.event_id = events.id
    ), false) and true
),
fitting as materialized (
  select id from event where (
    select count(*) from (
      select from registrations where event_id = event.id limit 100001
    ) as registration
  ) <= 100000
),
grouped as materialized (
  with
  absent as materialized (
    select registration_id from results
    where event_id = (select id from fitting) and finish_time_ms is null and status in ('DNS')
  ),
  span as materialized (
    select distance, point, time_ms / 60000 as number, count(*) as passed,
    min(time_ms) as fastest_ms, max(time_ms) as slowest_ms
    from passings join (
      -- With a view or a further condition inside, the planner would take the join for small, and sort all
      -- passings. So a runner who did not start has the distance null, and is left out of the groups.
      select id as registration_id,
      case when id not in (select registration_id from absent) then coalesce(left(distance, 200), '') end as distance
      from registrations where event_id = (select id from fitting) offset 0
    ) as registration using (registration_id)
    where event_id = (select id from fitting)
    group by 1, 2, 3
  ),
  counted as materialized (
    select distance, point, sum(passed)::bigint as passed, min(fastest_ms) as fastest_ms,
    array_agg(array[number, passed, fastest_ms, slowest_ms] order by number) as spans
    from span where distance is not null
    group by 1, 2 order by passed desc, fastest_ms limit 60
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
    where before < 3 or after < 8
  )
  select counted.*, array(
    select json_build_object('id', encode(uuid_send(registration_id), 'hex'), 'time_ms', time_ms)
    from near cross join lateral (
      select registration_id, time_ms from passings
      where event_id = (select id from fitting) and passings.point = near.point
      and time_ms between near.fastest_ms and near.slowest_ms
      and (
        select coalesce(left(distance, 200), '') from registrations where id = registration_id
      ) = near.distance
      order by time_ms asc, registration_id asc limit 3
    ) as passing
    where near.distance = counted.distance and near.point = counted.point
    and before < 3
    order by time_ms asc, registration_id asc limit 3
  ) as first,
  array(
    select json_build_object('id', encode(uuid_send(registration_id), 'hex'), 'time_ms', time_ms)
    from near cross join lateral (
      select registration_id, time_ms from passings
      where event_id = (select id from fitting) and passings.point = near.point
      and time_ms between near.fastest_ms and near.slowest_ms
      and (
        select coalesce(left(distance, 200), '') from registrations where id = registration_id
      ) = near.distance
      order by time_ms desc, registration_id desc limit 8
    ) as passing
    where near.distance = counted.distance and near.point = counted.point
    and after < 8
    order by time_ms desc, registration_id desc limit 8
  ) as latest, told.km, told.course_order
  from counted left join lateral (
    select km, course_order from event_points
    where event_id = (select id from fitting) and lower(name) = lower(counted.point)
    and (event_points.distance is null or event_points.distance = counted.distance)
    order by event_points.distance is null limit 1
  ) told on true
  union all
  (select distance, name, 0, null, '{}', '{}', '{}', km, course_order
    from event_points where event_id = (select id from fitting)
    order by ordinal limit 60)),
present as materialized (select null::json as beside),
written as materialized (
  select coalesce((select sum(passed) / 5 from grouped), 0)::int as runners, coalesce((select json_agg(grouped order by course_order, fastest_ms) from grouped), '[]')::text as document from event
)
select runners,
case when exists (select from fitting) and octet_length(document) <= 8388608
then document end as document,
(select beside from present) as beside
from written;
