-- swapResults.key
with target as materialized (
  select events.id as event_id, api_keys.id as api_key_id, key_prefix
  from events join api_keys
  on events.organization_id = api_keys.organization_id and events.id = coalesce(api_keys.event_id, events.id)
  where events.id = $eventId and key_hash = $keyHash
  and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes) for key share),
-- Nobody deletes the registrations or changes their bibs before the end.
runner as materialized (
  select id as registration_id, bib_number from registrations
  where event_id = (select event_id from target) and bib_number in ($bib, $otherBib)
  order by id for key share
),
pair as materialized (
  select own.*, other.registration_id as other_id
  from runner own join runner other on other.registration_id <> own.registration_id
),
-- Their results, locked.
stored as materialized (
  select result from (select * from pair order by registration_id offset 0) pair
  cross join lateral (
    select * from results where registration_id = pair.registration_id for update
  ) result
),
-- The result of each runner before and after the swap.
swapped as materialized (
  select pair.*, own.result, given.result as after
  from pair
  left join stored own on (own.result).registration_id = pair.registration_id
  left join stored given on (given.result).registration_id = pair.other_id
  where exists (select from stored)
),
changed as materialized (select * from swapped where not $isDry::boolean),
passed as (
  update passings passing set
  registration_id = case when other.point is null then own.other_id else passing.registration_id end,
  time_ms = coalesce(other.time_ms, passing.time_ms),
  upload_id = coalesce(other.upload_id, passing.upload_id),
  received_at = now()
  from (
    select pair.other_id, passings.registration_id, passings.point
    from changed pair join passings using (registration_id)
    where passings.event_id = (select event_id from target)
  ) own
  left join passings other
  on other.registration_id = own.other_id and other.point = own.point
  and other.event_id = (select event_id from target)
  where passing.registration_id = own.registration_id and passing.point = own.point
  and passing.event_id = (select event_id from target)
  returning 1
),
-- Copies of the results that the batch replaces or removes.
kept as (
  insert into replaced_results (replaced_by, registration_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at)
  select $batchId::uuid, (result).registration_id, (result).batch_id, (result).restored_by, (result).status, (result).chip_time_ms, (result).gun_time_ms, (result).splits, (result).first_finished_at, (result).decided_by_person, (result).updated_at from changed
  where (result).registration_id is not null
),
updated as (
  update results stored set batch_id = $batchId::uuid, restored_by = null, status = (changed.after).status, chip_time_ms = (changed.after).chip_time_ms, gun_time_ms = (changed.after).gun_time_ms, splits = (changed.after).splits, first_finished_at = (changed.after).first_finished_at, decided_by_person = true, updated_at = now()
  from changed
  where stored.registration_id = changed.registration_id and stored.event_id = (select event_id from target)
  and (changed.result).registration_id is not null and (changed.after).batch_id is not null
  returning 1
),
-- First results. A result that a concurrent transaction inserts is left out.
inserted as (
  insert into results (registration_id, event_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at)
  select registration_id, (select event_id from target), $batchId::uuid, null, (changed.after).status, (changed.after).chip_time_ms, (changed.after).gun_time_ms, (changed.after).splits, (changed.after).first_finished_at, true, now()
  from changed
  where (changed.result).registration_id is null and (changed.after).batch_id is not null
  order by registration_id
  on conflict (registration_id) do nothing
  returning 1
),
removed as (
  delete from results stored using changed
  where stored.registration_id = changed.registration_id and stored.event_id = (select event_id from target)
  and not ((changed.after).batch_id is not null)
  returning stored.registration_id
),
marked as (
  insert into withdrawn_results (registration_id, batch_id)
  select registration_id, $batchId::uuid from removed
),
-- The batch with its counts. The counts come from "from", so that the number is drawn after the locks.
recorded as (
  insert into result_batches (
    id, event_id, api_key_id, key_prefix, uploaded, updated, removed, not_found, errors, duplicates, user_id, source, reason, is_by_hand, swapped_registrations, swapped_passings, total_processed
  )
  select $batchId::uuid, target.event_id, api_key_id, key_prefix, inserted, updated + 0, removed,
  0, 0, 0, null::text, 'json', $reason::text, true, array(select registration_id from changed order by registration_id), (select count(*) from passed), (select count(*) from changed)
  from target, (select count(*)::int as inserted from inserted) inserted, (select count(*)::int as updated from updated) updated,
  (select count(*)::int as removed from removed) removed
  where exists (select from changed)
  returning id, uploaded, updated, unchanged
)
select (select id from recorded) as batch_id, (select coalesce(json_agg(bib_number), '[]') from runner) as bibs,
coalesce((
    select json_agg(json_build_object('inscription_id', registration_id, 'bib_number', bib_number,
        'before', case when ("result").status is not null then json_build_object('status', ("result").status, 'chip_time_ms', ("result").chip_time_ms,
          'gun_time_ms', ("result").gun_time_ms, 'splits', ("result").splits) end, 'after', case when ("after").status is not null then json_build_object('status', ("after").status, 'chip_time_ms', ("after").chip_time_ms,
          'gun_time_ms', ("after").gun_time_ms, 'splits', ("after").splits) end)
      order by bib_number <> $bib)
    from swapped
  ), '[]') as results,
(
  select count(*)::int from passings
  where registration_id in (select registration_id from swapped)
  and event_id = (select event_id from target)
) as passings
from target;
