-- +: with gender, category, distance, bib, point; -: without
  -- exportPassings
  with piece as (
    select number, json_agg(registration_id)::text as registration_id, json_agg(bib_number)::text as bib_number, json_agg(gender)::text as gender, json_agg(category)::text as category, json_agg(distance)::text as distance, json_agg(point)::text as point, json_agg(time_ms)::text as time_ms, json_agg(received_at)::text as received_at, json_agg(upload_id)::text as upload_id, json_agg(has_started)::text as has_started, json_agg(is_listed)::text as is_listed, string_agg(hash, '') as hashes
    from (
      select *, sha256(record_send(listed)) as hash, row_number() over listing as ordinal,
      (sum((5243)) over (listing rows unbounded preceding) - (5243))
      / 1048576 as number
      from (
        with event as materialized ((select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
              and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
+               and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))), asked as materialized (select coalesce(coalesce(
+             (
+               select point from passings where event_id = (select id from event) and point = $point::text order by time_ms limit 1
+             ),
+             (select point from (select point, lower(normalize(regexp_replace(regexp_replace(
+                         point, '[\u00ad\u180e\u200b\u2060-\u2064\ufeff]', '', 'g'),
+                       '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'))) as folded from (
+                   with recursive named as (
+                     select min(point) as point from passings where event_id = (select id from event)
+                     union all
+                     select (select min(point) from passings where event_id = (select id from event) and point > named.point)
+                     from named where point is not null
+                   )
+                   select point from named where point is not null) known) known where folded = lower(normalize(regexp_replace(regexp_replace(
+                       $point::text, '[\u00ad\u180e\u200b\u2060-\u2064\ufeff]', '', 'g'),
+                     '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'))) order by point limit 1)
+           ), $point::text) as point),
-               and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))),
        absent as materialized (
          select registration_id from results
          where event_id = (select id from event) and finish_time_ms is null and status in ('DNS')
        )
        select registration_id, bib_number, gender, category, distance, point, time_ms,
        case when extract(year from (received_at at time zone 'UTC')) between 1 and 9999
        then to_char((received_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as received_at, upload_id,
        registration_id not in (select registration_id from absent) as has_started, is_listed
+       from (select * from passings where event_id = (select id from event) and point = (select point from asked)) passing
-       from (select * from passings where event_id = (select id from event)) passing
        join (
          select id as registration_id, bib_number, gender, category, distance
          from registrations where event_id = (select id from event)
        ) registration using (registration_id)
        cross join lateral (
+         select coalesce(true and "gender" = $gender and "category" = $category and "distance" = $distance and bib_number = $bib, false)
-         select coalesce(true and true, false)
          as is_listed
        ) match) listed
      window listing as (order by time_ms, point, registration_id)
      order by number, ordinal
    ) sorted
    group by number
  )
  select registration_id, bib_number, gender, category, distance, point, time_ms, received_at, upload_id, has_started, is_listed,
  (select encode(sha256(string_agg(hashes, '' order by number)), 'hex') from piece) as digest
  from piece order by number;
