-- +: with since; -: without
  -- copyResults
  with piece as (
    select number, json_agg(registration_id)::text as registration_id, json_agg(bib_number)::text as bib_number, json_agg(gender)::text as gender, json_agg(category)::text as category, json_agg(distance)::text as distance, json_agg(status)::text as status, json_agg(chip_time_ms)::text as chip_time_ms, json_agg(gun_time_ms)::text as gun_time_ms, json_agg(splits)::text as splits, json_agg(updated_at)::text as updated_at, json_agg(finish_time_ms)::text as finish_time_ms, json_agg(inscription_id)::text as inscription_id, json_agg(is_removed)::text as is_removed, string_agg(hash, '') as hashes
    from (
      select *, sha256(record_send(listed)) as hash, row_number() over listing as ordinal,
      (sum((5243 + pg_column_size(splits))) over (listing rows unbounded preceding) - (5243 + pg_column_size(splits)))
      / 1048576 as number
      from (
        with event as materialized ((select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
              and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
                and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id)))
        select finish_time_ms, registration_id, registration_id as inscription_id, bib_number, gender, category, distance,
        status, chip_time_ms, gun_time_ms, splits, case when extract(year from (updated_at at time zone 'UTC')) between 1 and 9999
        then to_char((updated_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as updated_at,
        false as is_removed
        from (
+         select *, (("results".xmin::text::bigint - $since::bigint) & 4294967295) < (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint) - $since::bigint as is_new_result
-         select *, true as is_new_result
          from results where event_id = (select id from event)
        ) result
        join (
          select id as registration_id, bib_number, gender, category, distance,
+         (("registrations".xmin::text::bigint - $since::bigint) & 4294967295) < (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint) - $since::bigint as is_new_runner
-         true as is_new_runner
          from registrations where event_id = (select id from event)
        ) registration using (registration_id)
        where is_new_result or is_new_runner
+       union all
+       select null, registrations.id, registrations.id, null, null, null, null, 'DNS', null, null, '{}', '', true
+       from registrations
+       cross join lateral (
+         select from replaced_results
+         where registration_id = registrations.id and (("replaced_results".xmin::text::bigint - $since::bigint) & 4294967295) < (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint) - $since::bigint
+         limit 1 offset 0
+       ) replaced
+       where event_id = (select id from event) and not exists (select from results where registration_id = registrations.id)
+       and exists (
+         select from result_batches
+         where event_id = (select id from event) and removed > 0 and (("result_batches".xmin::text::bigint - $since::bigint) & 4294967295) < (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint) - $since::bigint
+     )) listed
-     ) listed
      window listing as (order by finish_time_ms, array_position('{FINISHED,DNF,DSQ,DNS}', status), char_length(bib_number), bib_number collate "C", registration_id)
      order by number, ordinal
    ) sorted
    group by number
  )
  select registration_id, bib_number, gender, category, distance, status, chip_time_ms, gun_time_ms, splits, updated_at, finish_time_ms, inscription_id, is_removed,
  (select encode(sha256(string_agg(hashes, '' order by number)), 'hex') from piece) as digest
  , to_json(moment)
  from (
    with event as materialized ((select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
          and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
            and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id)))
    select pg_snapshot_xmin(pg_current_snapshot())::text as cursor, (select count(*) from results where event_id = (select id from event))::int as total, (
      select concat_ws('/', system_identifier, timeline_id, database.oid,
        (select setting from pg_settings where name = 'neon.timeline_id'))
      from pg_control_system(), pg_control_checkpoint(), pg_database database
      where datname = current_database()) as identity from event) moment left join piece on true order by number;
