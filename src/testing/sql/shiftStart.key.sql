-- +: with isDry; -: without
  -- shiftStart.key
  with target as materialized (
    select events.id as event_id, api_keys.id as api_key_id, key_prefix
    from events join api_keys
    on events.organization_id = api_keys.organization_id and events.id = coalesce(api_keys.event_id, events.id)
    where events.id = $eventId and key_hash = $keyHash
    and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes) for key share),
  settings as materialized (
    select coalesce((select starts_version from event_settings where event_id = target.event_id), 0) as version
    from target
  ),
  runner as materialized (
    select id as registration_id, bib_number, distance, gender, category from registrations
    where event_id = (select event_id from target) and (
      select ordinal from event_starts
      where event_id = (select event_id from target) and (distance is null or distance = registrations.distance)
      and (bib_from is null or case when bib_number ~ '^[0-9]{1,12}$' then bib_number::bigint end between bib_from and bib_to)
      order by bib_from is null, distance is null limit 1) = $ordinal::int
    order by id for key share
  ),
  -- Results with a time since the gun, locked, with their times afterwards.
  moved as materialized (
    select runner.registration_id, bib_number, result, (result).gun_time_ms - $laterMs::bigint as gun_time_ms,
    case when (result).chip_time_ms is null then (
      select coalesce(jsonb_object_agg(key, (value #>> '{}')::bigint - $laterMs::bigint), '{}')
      from jsonb_each((result).splits)
    ) else (result).splits end as splits
    from (select * from runner order by registration_id offset 0) runner
    cross join lateral (
      select * from results where registration_id = runner.registration_id and event_id = (select event_id from target) for update
    ) result
    where (result).gun_time_ms is not null or ((result).chip_time_ms is null and (result).splits <> '{}')
  ),
  moved_passing as materialized (
    select registration_id, bib_number, stored.*
    from (select * from runner order by registration_id offset 0) runner
    cross join lateral (
      select point, time_ms, upload_id, received_at from passings
      where registration_id = runner.registration_id and event_id = (select event_id from target)
      order by point for update
    ) stored
  ),
  impossible as materialized (
    select distinct bib_number from (
      select bib_number from moved
      where gun_time_ms <= 0 or ($laterMs::bigint > 0 and gun_time_ms < (result).chip_time_ms)
      or ((result).chip_time_ms is null and exists (
          select from jsonb_each(splits) where (value #>> '{}')::bigint <= 0
      ))
      union all
      select bib_number from moved_passing where time_ms <= $laterMs::bigint
    ) wrong
  ),
  verdict as materialized (
    select version = $version::int and not exists (select from impossible)
+   and not $isDry::boolean as is_possible
-   and true as is_possible
    from settings
  ),
  changed as materialized (select * from moved where (select is_possible from verdict)),
  start as materialized (
    select *, json_build_object('name', name, 'distance', distance,
      'bib_from', bib_from, 'bib_to', bib_to,
      'starts_at',
      to_char(
        starts_at at time zone 'UTC' + make_interval(mins => coalesce(utc_offset_minutes, 0)),
        'YYYY-MM-DD"T"HH24:MI:SS.MS'
      )
      || case when utc_offset_minutes is null then 'Z' else
      case when utc_offset_minutes < 0 then '-' else '+' end
      || to_char(make_interval(mins => abs(utc_offset_minutes)), 'HH24:MI') end) as before from event_starts
    where event_id = (select event_id from target) and ordinal = $ordinal::int
  ),
  moved_start as materialized (
    select json_build_object('name', name, 'distance', distance,
      'bib_from', bib_from, 'bib_to', bib_to,
      'starts_at',
      to_char(
        starts_at at time zone 'UTC' + make_interval(mins => coalesce(utc_offset_minutes, 0)),
        'YYYY-MM-DD"T"HH24:MI:SS.MS'
      )
      || case when utc_offset_minutes is null then 'Z' else
      case when utc_offset_minutes < 0 then '-' else '+' end
      || to_char(make_interval(mins => abs(utc_offset_minutes)), 'HH24:MI') end) as after from (
      select name, distance, bib_from, bib_to, $startsAt::timestamptz as starts_at,
      $offsetMinutes::int as utc_offset_minutes
      from start
    ) start
  ),
  -- Copies of the results that the batch replaces or removes.
  kept as (
    insert into replaced_results (replaced_by, registration_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at)
    select $batchId::uuid, (result).registration_id, (result).batch_id, (result).restored_by, (result).status, (result).chip_time_ms, (result).gun_time_ms, (result).splits, (result).first_finished_at, (result).decided_by_person, (result).updated_at from changed
    where (result).registration_id is not null
  ),
  updated as (
    update results stored set batch_id = $batchId::uuid, restored_by = null, status = (changed.result).status, chip_time_ms = (changed.result).chip_time_ms, gun_time_ms = changed.gun_time_ms, splits = changed.splits, first_finished_at = (changed.result).first_finished_at, decided_by_person = (changed.result).decided_by_person, updated_at = now()
    from changed
    where stored.registration_id = changed.registration_id and stored.event_id = (select event_id from target)
    and (changed.result).registration_id is not null and true
    returning 1
  ),
  -- First results. A result that a concurrent transaction inserts is left out.
  inserted as (
    insert into results (registration_id, event_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at)
    select registration_id, (select event_id from target), $batchId::uuid, null, (changed.result).status, (changed.result).chip_time_ms, changed.gun_time_ms, changed.splits, (changed.result).first_finished_at, (changed.result).decided_by_person, now()
    from changed
    where (changed.result).registration_id is null and true
    order by registration_id
    on conflict (registration_id) do nothing
    returning 1
  ),
  marked as (
    insert into withdrawn_results (registration_id, batch_id, status, chip_time_ms, gun_time_ms)
    select registration_id, $batchId::uuid, (result).status, (result).chip_time_ms, (result).gun_time_ms
    from changed where (result).registration_id is not null
  ),
  -- The batch with its counts. The counts come from "from", so that the number is drawn after the locks.
  recorded as (
    insert into result_batches (
      id, event_id, api_key_id, key_prefix, uploaded, updated, removed, not_found, errors, duplicates, user_id, source, start_shift, total_processed
    )
    select $batchId::uuid, target.event_id, api_key_id, key_prefix, inserted, updated + 0, removed,
    0, 0, 0, null::text, 'shift', json_build_object('before', before, 'after', after), (select count(*) from changed)
    from target, (select count(*)::int as inserted from inserted) inserted, (select count(*)::int as updated from updated) updated,
    (select 0 as removed) removed, start, moved_start
    where (select is_possible from verdict)
    returning id, uploaded, updated, unchanged
  ),
  kept_passings as (
    insert into replaced_passings (registration_id, point, time_ms, upload_id, replaced_by, received_at)
    select registration_id, point, time_ms, upload_id, $batchId::uuid, received_at from moved_passing where (select is_possible from verdict)
  ),
  marked_passings as (
    insert into withdrawn_passings (registration_id, point, upload_id, time_ms, left_upload_id)
    select registration_id, point, $batchId::uuid, time_ms, $batchId::uuid from moved_passing where (select is_possible from verdict)
  ),
  passed as (
    update passings stored set time_ms = stored.time_ms - $laterMs::bigint, upload_id = $batchId::uuid
    from moved_passing moved
    where stored.registration_id = moved.registration_id and stored.event_id = (select event_id from target)
    and stored.point = moved.point and (select is_possible from verdict)
    returning 1
  ),
  -- The passings are taken back by the same id.
  recorded_passings as (
    insert into passing_uploads (id, event_id, api_key_id, key_prefix, user_id, source, total_processed, uploaded,
      updated, not_found, errors, duplicates)
    select $batchId::uuid, event_id, api_key_id, key_prefix, null::text, 'shift', count, 0, count, 0, 0, 0
    from target, (select count(*)::int as count from passed) passed where count > 0
  ),
  told as materialized (
    select coalesce(json_agg(
        case when ordinal = $ordinal::int then (select after from moved_start) else json_build_object('name', name, 'distance', distance,
          'bib_from', bib_from, 'bib_to', bib_to,
          'starts_at',
          to_char(
            starts_at at time zone 'UTC' + make_interval(mins => coalesce(utc_offset_minutes, 0)),
            'YYYY-MM-DD"T"HH24:MI:SS.MS'
          )
          || case when utc_offset_minutes is null then 'Z' else
          case when utc_offset_minutes < 0 then '-' else '+' end
          || to_char(make_interval(mins => abs(utc_offset_minutes)), 'HH24:MI') end) end
        order by ordinal), '[]') as after, coalesce(json_agg(json_build_object('name', name, 'distance', distance,
          'bib_from', bib_from, 'bib_to', bib_to,
          'starts_at',
          to_char(
            starts_at at time zone 'UTC' + make_interval(mins => coalesce(utc_offset_minutes, 0)),
            'YYYY-MM-DD"T"HH24:MI:SS.MS'
          )
          || case when utc_offset_minutes is null then 'Z' else
          case when utc_offset_minutes < 0 then '-' else '+' end
          || to_char(make_interval(mins => abs(utc_offset_minutes)), 'HH24:MI') end) order by ordinal), '[]') as before
    from event_starts where event_id = (select event_id from target)
  ),
  started as (
    update event_starts set starts_at = $startsAt::timestamptz,
    utc_offset_minutes = $offsetMinutes::int
    where event_id = (select event_id from target) and ordinal = $ordinal::int and (select is_possible from verdict)
  ),
  versioned as (
    update event_settings set starts_version = starts_version + 1 where event_id = (select event_id from target) and (select is_possible from verdict)
  ),
  noted as (
    insert into event_changes (event_id, kind, before, after, user_id, api_key_id, key_prefix)
    select event_id, 'starts', before::text, after::text, null::text, api_key_id, key_prefix
    from target, told where (select is_possible from verdict)
+ ),
+ ranked_by as materialized (select coalesce((
+       select "ranking_rule" from event_settings where event_settings.event_id = (select event_id from target)
+     ), 'chip') as rule),
+ finisher as materialized (
+   select registrations.bib_number, distance, gender, category, stored.chip_time_ms, stored.finish_time_ms,
+   stored.gun_time_ms, coalesce(moved.gun_time_ms, stored.gun_time_ms) as moved_gun_ms
+   from results stored join registrations on registrations.id = stored.registration_id
+   left join moved on moved.registration_id = stored.registration_id
+   where stored.event_id = (select event_id from target) and stored.finish_time_ms is not null
+ ),
+ placed as materialized (
+   select 'before' as at, bib_number, distance, gender, category,
+   rank() over (partition by distance order by case when (select rule from ranked_by) in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) as "position_distance", case when gender is not null then rank() over (partition by distance, gender order by case when (select rule from ranked_by) in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end as "position_distance_gender", case when category is not null then rank() over (partition by distance, gender, category order by case when (select rule from ranked_by) in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end as "position_distance_category"
+   from (
+     select bib_number, distance, gender, category, finish_time_ms as finish_time_ms, gun_time_ms as gun_time_ms
+     from finisher
+   ) timed
+   union all
+   select 'after' as at, bib_number, distance, gender, category,
+   rank() over (partition by distance order by case when (select rule from ranked_by) in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) as "position_distance", case when gender is not null then rank() over (partition by distance, gender order by case when (select rule from ranked_by) in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end as "position_distance_gender", case when category is not null then rank() over (partition by distance, gender, category order by case when (select rule from ranked_by) in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end as "position_distance_category"
+   from (
+     select bib_number, distance, gender, category, coalesce(chip_time_ms, moved_gun_ms) as finish_time_ms, moved_gun_ms as gun_time_ms
+     from finisher
+   ) timed
+ ),
+ podium as materialized (
+   select distance, null::text as gender, null::text as category,
+   coalesce(
+     json_agg(bib_number order by "position_distance", bib_number)
+     filter (where at = 'before'), '[]') as before, coalesce(
+     json_agg(bib_number order by "position_distance", bib_number)
+     filter (where at = 'after'), '[]') as after
+   from placed where "position_distance" <= 3 group by distance union all
+   select distance, gender as gender, null::text as category,
+   coalesce(
+     json_agg(bib_number order by "position_distance_gender", bib_number)
+     filter (where at = 'before'), '[]') as before, coalesce(
+     json_agg(bib_number order by "position_distance_gender", bib_number)
+     filter (where at = 'after'), '[]') as after
+   from placed where "position_distance_gender" <= 3 group by distance, gender union all
+   select distance, gender as gender, category as category,
+   coalesce(
+     json_agg(bib_number order by "position_distance_category", bib_number)
+     filter (where at = 'before'), '[]') as before, coalesce(
+     json_agg(bib_number order by "position_distance_category", bib_number)
+     filter (where at = 'after'), '[]') as after
+   from placed where "position_distance_category" <= 3 group by distance, gender, category
  )
  select settings.version, (select count(*)::int from runner) as runners,
  (select count(*)::int from moved) as results,
  (select count(*)::int from moved_passing) as passings,
  coalesce((
      select json_agg(bib_number) from (
        select bib_number from impossible order by char_length(bib_number), bib_number collate "C" limit 20
      ) named
    ), '[]') as impossible,
+ coalesce((
+     select json_agg(changed) from (
+       select * from podium where before::text <> after::text
+       order by distance, gender nulls first, category nulls first limit 100
+     ) changed
+   ), '[]') as podiums,
- '[]'::json as podiums,
  (
    select max(official_results.version) from official_results
    where event_id = (select event_id from target) and exists (select from moved)
  ) as official_version
  from settings;
