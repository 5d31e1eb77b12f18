-- +: with chipTimeMs, gunTimeMs, status, version; -: without
  -- correctResult
  with target as materialized (
    select id as event_id, null::uuid as api_key_id, null::text as key_prefix
    from events where id = $eventId and organization_id = (
      select organization_id from organization_members where user_id = $userId
      and organization_id = $organizationId and role in ('owner', 'admin')
    ) for key share),
  -- No transaction deletes the registration or changes its bib before the end.
  runner as materialized (
    select id as registration_id, event_id, bib_number, distance from registrations
    where event_id = (select event_id from target) and bib_number = $bib
    for key share
  ),
  -- The runner's result, locked, and its values after the correction.
  corrected as materialized (
+   select runner.*, result, $status::text as status,
+   case when $status::text in ('FINISHED') then $chipTimeMs::bigint end as chip_time_ms,
+   case when $status::text in ('FINISHED') then $gunTimeMs::bigint end as gun_time_ms,
-   select runner.*, result, coalesce((result).status, 'FINISHED') as status,
-   case when coalesce((result).status, 'FINISHED') in ('FINISHED') then (result).chip_time_ms end as chip_time_ms,
-   case when coalesce((result).status, 'FINISHED') in ('FINISHED') then (result).gun_time_ms end as gun_time_ms,
    coalesce((result).splits, '{}') as splits
    from runner left join lateral (
      select * from results where registration_id = runner.registration_id for update
    ) result on true
  ),
+ present as materialized (
+   select version, user_id, api_key.name as key_name
+   from (select coalesce(
+       (result).restored_by, (result).batch_id,
+       (
+         select replaced_by from replaced_results
+         where registration_id = corrected.registration_id order by id desc limit 1
+       )
+     ) as version from corrected) made
+   left join result_batches batch
+   on batch.id = version and batch.event_id = (select event_id from target)
+   left join api_keys api_key on api_key.id = batch.api_key_id
+   and api_key.organization_id = (select organization_id from events where id = batch.event_id)
+ ),
  judged as materialized (
+   select *, (select version from present) is not distinct from $version::uuid as is_present, case
-   select *, true as is_present, case
    when status in ('FINISHED') then coalesce(chip_time_ms, gun_time_ms) is not null
+   else true end as is_possible
-   else not coalesce(null::bigint, null::bigint) is not null end as is_possible
    from corrected
  ),
  changed as materialized (
    select * from judged
    where is_possible and is_present and not $isDry::boolean and (status, chip_time_ms, gun_time_ms)
    is distinct from ((result).status, (result).chip_time_ms, (result).gun_time_ms)
  ),
  -- Copies of the results that the batch replaces or removes.
  kept as (
    insert into replaced_results (replaced_by, registration_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at)
    select $batchId::uuid, (result).registration_id, (result).batch_id, (result).restored_by, (result).status, (result).chip_time_ms, (result).gun_time_ms, (result).splits, (result).first_finished_at, (result).decided_by_person, (result).updated_at from changed
    where (result).registration_id is not null
  ),
  updated as (
    update results stored set batch_id = $batchId::uuid, restored_by = null, status = changed.status, chip_time_ms = changed.chip_time_ms, gun_time_ms = changed.gun_time_ms, splits = changed.splits, first_finished_at = coalesce((changed.result).first_finished_at, case when changed.status in ('FINISHED') then now() end), decided_by_person = true, updated_at = now()
    from changed
    where stored.registration_id = changed.registration_id and stored.event_id = (select event_id from target)
    and (changed.result).registration_id is not null and true
    returning 1
  ),
  -- First results. A result that a concurrent transaction inserts is left out.
  inserted as (
    insert into results (registration_id, event_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at)
    select registration_id, (select event_id from target), $batchId::uuid, null, changed.status, changed.chip_time_ms, changed.gun_time_ms, changed.splits, coalesce((changed.result).first_finished_at, case when changed.status in ('FINISHED') then now() end), true, now()
    from changed
    where (changed.result).registration_id is null and true
    order by registration_id
    on conflict (registration_id) do nothing
    returning 1
  ),
  -- The batch with its counts. The counts come from "from", so that the number is drawn after the locks.
  recorded as (
    insert into result_batches (
      id, event_id, api_key_id, key_prefix, uploaded, updated, removed, not_found, errors, duplicates, user_id, source, reason, total_processed
    )
    select $batchId::uuid, target.event_id, api_key_id, key_prefix, inserted, updated + 0, removed,
    0, 0, 0, $userId::text, 'json', $reason::text, 1
    from target, (select count(*)::int as inserted from inserted) inserted, (select count(*)::int as updated from updated) updated,
    (select 0 as removed) removed
    where exists (select from changed)
    returning id, uploaded, updated, unchanged
  ),
  other as materialized (
    select distinct candidate.registration_id, judged.distance, judged.registration_id as own_id
    from judged cross join lateral (
      (
        select sample.registration_id from (values ('PENDING'), ('PAID'), ('CANCELLED')) of (status) cross join lateral (
          select id as registration_id from registrations
          where event_id = judged.event_id and status = of.status and distance = judged.distance
          order by category limit 300
        ) sample) union all
      (
        select sample.registration_id from (values ('PENDING'), ('PAID'), ('CANCELLED')) of (status) cross join lateral (
          select id as registration_id from registrations
          where event_id = judged.event_id and status = of.status and distance is null and judged.distance is null
          order by category limit 300
        ) sample) union all
      (
        select registration_id from results
        where event_id = judged.event_id and finish_time_ms is not null
        order by finish_time_ms asc limit 300) union all (
        select registration_id from results
        where event_id = judged.event_id and finish_time_ms is not null
        order by finish_time_ms desc limit 300)
    ) candidate
  ),
  other_time as materialized (
    select finish_time_ms
    from other
    cross join lateral (select distance from registrations where id = other.registration_id) registration
    cross join lateral (
      select finish_time_ms from results where registration_id = other.registration_id
    ) result
    where finish_time_ms is not null and registration.distance is not distinct from other.distance
    and other.registration_id <> own_id
  )
  select registration_id as inscription_id, bib_number, is_present,
+ (
+   select row_to_json(present) from (select version, user_id, key_name from present) present
+ ) as present,
- null as present,
  case when ("result").status is not null then json_build_object('status', ("result").status, 'chip_time_ms', ("result").chip_time_ms,
    'gun_time_ms', ("result").gun_time_ms, 'splits', ("result").splits) end as before,
  json_build_object('status', ("judged").status, 'chip_time_ms', ("judged").chip_time_ms,
    'gun_time_ms', ("judged").gun_time_ms, 'splits', ("judged").splits) as after, is_possible, (select id from recorded) as batch_id,
  coalesce((select jsonb_object_agg(point, time_ms) from passings where registration_id = judged.registration_id), '{}') || splits as splits, distance,
  json_build_object(
    'count', (select least(count(*), 3) from other_time),
    'fastest_ms', (select min(finish_time_ms) from other_time),
    'slowest_ms', (select max(finish_time_ms) from other_time)) as others
  from judged;
