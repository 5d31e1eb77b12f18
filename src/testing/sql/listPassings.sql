-- +: with gender, category, distance, bib, point, isTop; -: without
  -- listPassings
  with event as materialized ((select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
        and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
+         and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))), asked as materialized (select coalesce(coalesce(
+       (
+         select point from passings where event_id = (select id from event) and point = $point::text order by time_ms limit 1
+       ),
+       (select point from (select point, lower(normalize(regexp_replace(regexp_replace(
+                   point, '[\u00ad\u180e\u200b\u2060-\u2064\ufeff]', '', 'g'),
+                 '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'))) as folded from (
+             with recursive named as (
+               select min(point) as point from passings where event_id = (select id from event)
+               union all
+               select (select min(point) from passings where event_id = (select id from event) and point > named.point)
+               from named where point is not null
+             )
+             select point from named where point is not null) known) known where folded = lower(normalize(regexp_replace(regexp_replace(
+                 $point::text, '[\u00ad\u180e\u200b\u2060-\u2064\ufeff]', '', 'g'),
+               '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'))) order by point limit 1)
+     ), $point::text) as point),
-         and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))),
  absent as materialized (
    select registration_id from results
    where event_id = (select id from event) and finish_time_ms is null and status in ('DNS')
  ),
  -- The matching passings.
+ matched as materialized (
+   select registration_id, point, time_ms
+   from (
+     select id from registrations
+     where event_id = (select id from event) and bib_number = $bib and true and "gender" = $gender and "category" = $category and "distance" = $distance offset 0
+   ) registration
+   cross join lateral (
+     select * from passings where registration_id = id and event_id = (select id from event) and point = (select point from asked) offset 0
+   ) passing
+ ),
- matched as not materialized (select registration_id, point, time_ms from passings where event_id = (select id from event)),
  listed as materialized (
+   select registration_id, point, time_ms from matched
-   select registration_id, point, time_ms from (
-     with recursive named as (
-       select min(point) as point from passings where event_id = (select id from event)
-       union all
-       select (select min(point) from passings where event_id = (select id from event) and point > named.point)
-       from named where point is not null
-     )
-     select point from named where point is not null) points cross join lateral (
-     select registration_id, time_ms from passings
-     where event_id = (select id from event) and passings.point = points.point
-     order by time_ms, registration_id limit $limit::bigint + $offset::bigint
-   ) first
    order by time_ms, point, registration_id limit $limit offset $offset
  ),
  -- The range of the page's times at each of its points.
  bounds as materialized (
    select point, min(time_ms) as first_ms, max(time_ms) as last_ms from listed group by point
  ),
  -- Rows of RunnerCount for all faster passings.
  faster_than_page as materialized (
    select point, faster.* from bounds cross join lateral (
      select case when time_ms < first_ms then -1 else time_ms end as time_ms,
      gender, category, distance, count(*)::int as runners
      from (
        select registration_id, time_ms from passings
        where event_id = (select id from event) and point = bounds.point and time_ms < last_ms offset 0
      ) faster
+     cross join lateral (
+       select gender, category, distance from registrations where id = registration_id offset 0
+     ) registration
-     join (
-       select id as registration_id, gender, category, distance from registrations where event_id = (select id from event)
-     ) registration using (registration_id)
      where registration_id not in (select registration_id from absent)
      group by 1, 2, 3, 4
    ) faster
  ),
  page as (
    select registration_id, bib_number, gender, category, distance, point, time_ms,
    case when extract(year from (received_at at time zone 'UTC')) between 1 and 9999
    then to_char((received_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as received_at, upload_id,
    registration_id not in (select registration_id from absent) as has_started,
    api_key.name as key_name, sender
    from listed
    cross join lateral (
      select received_at, upload_id from passings
      where registration_id = listed.registration_id and point = listed.point offset 0
    ) passing
    left join lateral (
      select event_id, api_key_id, sender from passing_uploads
      where id = passing.upload_id and event_id = (select id from event) offset 0
    ) batch on true
    left join api_keys api_key on api_key.id = batch.api_key_id
    and api_key.organization_id = (select organization_id from events where id = batch.event_id)
    cross join lateral (
      select bib_number, gender, category, distance from registrations
      where id = listed.registration_id offset 0
    ) registration
    order by time_ms, point, registration_id
  )
  select (select count(*)::int from matched) as total,
  coalesce((select json_agg(page) from page), '[]') as rows,
  coalesce((
      select json_agg(
        json_build_array(time_ms, gender, category, distance, runners, point) order by time_ms
      ) from faster_than_page
    ), '[]') as faster_than_page
  from event;
