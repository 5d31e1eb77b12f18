-- +: with lastPoint, distance; -: without
  -- listOnCourse
  with event as materialized ((select id from events where id = $eventId and organization_id = (
        select organization_id from organization_members where user_id = $userId
        and organization_id = $organizationId and role in ('owner', 'admin')
  ))),
  ended as materialized (
    select registration_id, finish_time_ms from results where event_id = (select id from event) and not status in ('DNS')
  ),
  absent as materialized (
    select registration_id from results
    where event_id = (select id from event) and finish_time_ms is null and status in ('DNS')
  ),
  on_course as materialized (
    select registration_id, max(time_ms) as last_ms
+   , max(time_ms) filter (where point = $lastPoint) as at_point_ms
    from passings
    where event_id = (select id from event) and not exists (
      select from ended where ended.registration_id = passings.registration_id
    )
    group by registration_id
  ),
  matched as materialized (
    select registration_id, bib_number, last_ms
    from on_course
    join (
      select id as registration_id, bib_number from registrations
+     where event_id = (select id from event) and distance = $distance
-     where event_id = (select id from event) and true
    ) registration using (registration_id)
+   where at_point_ms = last_ms
-   where true
  ),
  listed as materialized (
    select registration_id, last_ms, row_number() over (order by last_ms, char_length(bib_number), bib_number collate "C", registration_id) as line
    from matched order by line limit $limit offset $offset
  ),
  last as materialized (
    select registration_id, last_ms, line, point
    from listed cross join lateral (
      select point from passings
      where registration_id = listed.registration_id and time_ms = last_ms
      order by point limit 1
    ) passing
  ),
  -- Whoever passed a last point of the page after the runners of the page has no influence on their places.
  placed as materialized (
    select registration_id, point, category_place from (
      select registration_id, point,
      (case when category is not null then rank() over (partition by point, distance, gender, category order by time_ms) end)::int as category_place
      from (
        select registration_id, point, time_ms
        from (select point, max(last_ms) as until_ms from last group by point) bounds
        cross join lateral (
          select registration_id, time_ms from passings
          where event_id = (select id from event) and passings.point = bounds.point and time_ms <= until_ms offset 0
        ) passing
        where registration_id not in (select registration_id from absent)
      ) passing
      join (
        select id as registration_id, gender, category, distance from registrations where event_id = (select id from event)
      ) registration using (registration_id)
    ) ranked
    where registration_id in (select registration_id from last)
  ),
  page as (
    select registration_id as inscription_id, runner.*, point, last_ms::float8 as last_ms, (
      select extract(epoch from starts_at)::float8 * 1000 from (
        select starts_at from event_starts
        where event_id = (select id from event) and (distance is null or distance = runner.distance)
        and (bib_from is null or case when runner.bib_number ~ '^[0-9]{1,12}$' then runner.bib_number::bigint end between bib_from and bib_to)
        order by bib_from is null, distance is null limit 1) start
    ) as started_ms, registration_id not in (select registration_id from absent) as has_started, (
      select jsonb_object_agg(point, time_ms) from passings where registration_id = last.registration_id
    ) as splits, category_place
    from last
    cross join lateral (
      select bib_number, gender, category, distance, given_names, surnames from registrations
      where id = last.registration_id offset 0
    ) runner
    left join placed using (registration_id, point)
    order by line
  )
  select (select count(*)::int from matched) as total, coalesce((select json_agg(page) from page), '[]') as rows,
  coalesce((
      select json_agg(json_build_object('name', name, 'distance', distance, 'order', course_order, 'km', km) order by ordinal) from event_points where event_id = event.id
    ), '[]') as told,
  json_build_object(
    'started', (select count(*) from ended) + (select count(*) from on_course),
    'points', coalesce((
        select json_agg(json_build_object('point', point, 'passed', passed) order by fastest_ms, point)
        from (
          with recursive named as (
            select min(point) as point from passings where event_id = (select id from event)
            union all
            select (select min(point) from passings where event_id = (select id from event) and point > named.point)
            from named where point is not null
          )
          select point from named where point is not null) points cross join lateral (
          select count(*)::int as passed, min(time_ms) as fastest_ms from passings
          where event_id = (select id from event) and passings.point = points.point offset 0
        ) passing
      ), '[]'),
    'finished', (select count(finish_time_ms) from ended),
    'on_course', (select count(*) from on_course)
  ) as progress
  from event;
