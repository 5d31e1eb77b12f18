-- findMarks.key
with event as materialized ((select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
      and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
        and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))),
sample as materialized (
  select registration_id from (select point from (
      with recursive named as (
        select min(point) as point from passings where event_id = (select id from event)
        union all
        select (select min(point) from passings where event_id = (select id from event) and point > named.point)
        from named where point is not null
      )
      select point from named where point is not null) named limit 40) named
  cross join lateral (
    (select registration_id from passings where event_id = (select id from event) and passings.point = named.point
      order by time_ms, registration_id limit 40)
    union all
    (select registration_id from passings where event_id = (select id from event) and passings.point = named.point
      order by time_ms desc, registration_id desc limit 40)
  ) near
  union
  select id from registrations where event_id = (select id from event) and bib_number = any($bibs::text[])
),
runner as materialized (
  select registration.* from sample cross join lateral (
    select id, bib_number, distance from registrations
    where id = registration_id and event_id = (select id from event) offset 0
  ) registration
),
seen as materialized (
  select bib_number, distance, (
    select (extract(epoch from start.starts_at) * 1000)::bigint
    from (
      select starts_at from event_starts
      where event_id = (select id from event) and (distance is null or distance = runner.distance)
      and (bib_from is null or case when runner.bib_number ~ '^[0-9]{1,12}$' then runner.bib_number::bigint end between bib_from and bib_to)
      order by bib_from is null, distance is null limit 1) start
  ) as start_ms, coalesce((
      select json_agg(json_build_array(point, time_ms, (extract(epoch from at) * 1000)::bigint) order by time_ms)
      from (
        (select point, time_ms, received_at as at from passings
          where registration_id = runner.id and event_id = (select id from event) order by time_ms limit 40)
        union all
        select null, coalesce(gun_time_ms, chip_time_ms), updated_at from results
        where registration_id = runner.id and event_id = (select id from event) and finish_time_ms is not null
      ) mark
    ), '[]') as marks
  from runner
)
select floor(extract(epoch from now()) * 1000)::float8 as "nowMs", coalesce((
    select json_agg(json_build_object('name', name, 'distance', distance, 'order', course_order, 'km', km) order by ordinal) from event_points where event_id = event.id
  ), '[]') as points,
coalesce((select json_agg(json_build_array(bib_number, distance, start_ms, marks)) from seen), '[]') as runners
from event;
