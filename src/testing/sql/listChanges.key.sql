-- listChanges.key
with
batch as materialized (
  select batch.id, batch.event_id, origin.id as upload_id, batch.upload_stands, batch.reverts,
  origin.source = 'shift' as is_of_shift,
  origin.deleted_registration, origin.swapped_registrations, origin.swapped_passings,
  batch.effect_order
  from result_batches batch
  join result_batches origin on origin.id = coalesce(batch.reverted_upload, batch.id)
  where batch.id = $batchId::uuid and batch.event_id = ((select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
        and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
          and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id)))
),
touched as materialized (
  select distinct registration.id as registration_id, registration.bib_number
  from batch
  cross join lateral (
    select registration_id from results where batch_id = batch.id
    union select registration_id from results where restored_by = batch.id
    union select registration_id from replaced_results where batch_id = batch.id
    union select registration_id from replaced_results where restored_by = batch.id
    union select registration_id from replaced_results
    where batch_id = batch.upload_id and replaced_by = batch.id
    union select batch.deleted_registration
    union select unnest(batch.swapped_registrations)
  ) changed
  cross join lateral (
    select id, bib_number from registrations
    where id = changed.registration_id and event_id = batch.event_id offset 0
  ) registration
),
listed as (
  select * from touched order by char_length(bib_number), bib_number collate "C", registration_id limit $limit offset $offset
),
-- The stored result and the replaced results. The stored result has no ordinal: the stored result comes last.
content as materialized (
  select runner.registration_id, bib_number, result.*,
  lead(made_by) over (partition by runner.registration_id order by step) as next_made_by
  from listed runner cross join lateral (
    (
      select id as step, coalesce(restored_by, batch_id) as made_by, replaced_by, batch_id, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at
      from replaced_results where registration_id = runner.registration_id
    )
    union all
    select null, coalesce(restored_by, batch_id), null, batch_id, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at
    from results where registration_id = runner.registration_id
  ) result
),
version as materialized (
  select *, row_number() over (partition by registration_id order by step, is_gone) as number,
  count(*) over (partition by registration_id) as versions
  from (
    select registration_id, bib_number, step, false as is_gone, made_by, batch_id, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at from content
    union all
    select registration_id, bib_number, step, true, replaced_by,
    null, null, null, null, null, null, null, null
    from content
    where replaced_by is distinct from next_made_by
  ) made
),
change as materialized (
  select after.registration_id, after.bib_number, before, after, present,
  present.batch_id is not distinct from after.batch_id as is_current,
  present.batch_id is distinct from after.batch_id
  and present.batch_id is not distinct from before.batch_id as is_undone
  from version after
  join version present
  on present.registration_id = after.registration_id and present.number = present.versions
  left join version before
  on before.registration_id = after.registration_id and before.number = after.number - 1
  where after.made_by = (select id from batch)),
page as (
  select registration_id as inscription_id, bib_number, case when ("before").status is not null then json_build_object('status', ("before").status, 'chip_time_ms', ("before").chip_time_ms,
    'gun_time_ms', ("before").gun_time_ms, 'splits', ("before").splits) end as before, case when ("after").status is not null then json_build_object('status', ("after").status, 'chip_time_ms', ("after").chip_time_ms,
    'gun_time_ms', ("after").gun_time_ms, 'splits', ("after").splits) end as after,
  case when not is_current then (present).made_by end as replaced_by
  from change
  order by char_length(bib_number), bib_number collate "C", registration_id
)
select (select count(*)::int from touched) as total,
coalesce((select json_agg(page) from page), '[]') as rows
from batch;
