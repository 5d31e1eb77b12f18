-- deleteResult.key
with target as materialized (
  select events.id as event_id, api_keys.id as api_key_id, key_prefix
  from events join api_keys
  on events.organization_id = api_keys.organization_id and events.id = coalesce(api_keys.event_id, events.id)
  where events.id = $eventId and key_hash = $keyHash
  and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes) for key share),
-- No transaction deletes the registration or changes its bib before the end.
runner as materialized (
  select id as registration_id, bib_number from registrations
  where event_id = (select event_id from target) and bib_number = $bib
  for key share
),
-- The runner's result, locked.
changed as materialized (
  select runner.*, result from runner cross join lateral (
    select * from results where registration_id = runner.registration_id for update
  ) result
),
-- Copies of the results that the batch replaces or removes.
kept as (
  insert into replaced_results (replaced_by, registration_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at)
  select $batchId::uuid, (result).registration_id, (result).batch_id, (result).restored_by, (result).status, (result).chip_time_ms, (result).gun_time_ms, (result).splits, (result).first_finished_at, (result).decided_by_person, (result).updated_at from changed
  where (result).registration_id is not null
),
removed as (
  delete from results stored using changed
  where stored.registration_id = changed.registration_id and stored.event_id = (select event_id from target)
  and true
  returning stored.registration_id
),
marked as (
  insert into withdrawn_results (registration_id, batch_id)
  select registration_id, $batchId::uuid from removed
),
-- The batch with its counts. The counts come from "from", so that the number is drawn after the locks.
recorded as (
  insert into result_batches (
    id, event_id, api_key_id, key_prefix, uploaded, updated, removed, not_found, errors, duplicates, user_id, source, reason, deleted_registration, total_processed
  )
  select $batchId::uuid, target.event_id, api_key_id, key_prefix, inserted, updated + 0, removed,
  0, 0, 0, null::text, 'delete', $reason::text, (select registration_id from changed), 1
  from target, (select 0 as inserted) inserted, (select 0 as updated) updated,
  (select count(*)::int as removed from removed) removed
  where exists (select from changed)
  returning id, uploaded, updated, unchanged
)
select recorded.id as batch_id, registration_id as inscription_id, bib_number,
json_build_object('status', ("result").status, 'chip_time_ms', ("result").chip_time_ms,
  'gun_time_ms', ("result").gun_time_ms, 'splits', ("result").splits) as before
from recorded, changed;
