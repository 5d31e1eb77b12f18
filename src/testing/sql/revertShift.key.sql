-- revertShift.key
with target as materialized (
  select events.id as event_id, api_keys.id as api_key_id, key_prefix
  from events join api_keys
  on events.organization_id = api_keys.organization_id and events.id = coalesce(api_keys.event_id, events.id)
  where events.id = $eventId and key_hash = $keyHash
  and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes) for key share),
batch as materialized (
  select batch.id, batch.event_id, origin.id as upload_id, batch.upload_stands, batch.reverts,
  origin.source = 'shift' as is_of_shift,
  origin.deleted_registration, origin.swapped_registrations, origin.swapped_passings,
  batch.effect_order
  from result_batches batch
  join result_batches origin on origin.id = coalesce(batch.reverted_upload, batch.id)
  where batch.id = $batchId::uuid and batch.event_id = (select event_id from target)
),
revert as materialized (
  select batch.*, start_shift, origin.id as shift_id,
  case when batch.upload_stands then start_shift -> 'before' else start_shift -> 'after' end as wanted,
  case when batch.upload_stands then start_shift -> 'after' else start_shift -> 'before' end as left_as
  from batch join result_batches origin on origin.id = batch.upload_id and origin.source = 'shift'
  where exists (select from result_batches where id = $revertId::uuid)
),
-- The upload of each passing that the batch left.
before as materialized (
  select replaced.registration_id, replaced.point, replaced.time_ms, replaced.upload_id, replaced.received_at,
  case when revert.id = shift_id then shift_id else brought_back.upload_id end as left_upload_id
  from revert join replaced_passings replaced on replaced.replaced_by = revert.id
  left join replaced_passings brought_back on brought_back.replaced_by = revert.reverts
  and brought_back.registration_id = replaced.registration_id and brought_back.point = replaced.point
),
current as materialized (
  select before.*, stored.*
  from (select * from before order by registration_id, point offset 0) before
  cross join lateral (
    select time_ms as stored_ms, received_at as stored_at from passings
    where registration_id = before.registration_id and event_id = (select event_id from target)
    and point = before.point and upload_id = left_upload_id
    for update
  ) stored
),
kept as (
  insert into replaced_passings (registration_id, point, time_ms, upload_id, replaced_by, received_at)
  select registration_id, point, stored_ms, left_upload_id, $revertId::uuid, stored_at from current
),
marked as (
  insert into withdrawn_passings (registration_id, point, upload_id, time_ms, left_upload_id)
  select registration_id, point, $revertId::uuid, stored_ms, upload_id from current
),
restored as (
  update passings stored set time_ms = current.time_ms, upload_id = current.upload_id
  from current
  where stored.registration_id = current.registration_id and stored.point = current.point
  and stored.event_id = (select event_id from target)
  returning 1
),
recorded as (
  insert into passing_uploads (id, event_id, api_key_id, key_prefix, user_id, source, reverts, total_processed,
    uploaded, updated, not_found, errors, duplicates)
  select $revertId::uuid, target.event_id, api_key_id, key_prefix, null::text, 'revert', revert.id,
  count, 0, count, 0, 0, 0
  from target cross join revert, (select count(*)::int as count from restored) restored where count > 0
),
start as materialized (
  select event_starts.ordinal from event_starts cross join revert
  where event_starts.event_id = (select event_id from target)
  and (name, distance, bib_from, bib_to, starts_at) is not distinct from (
    left_as ->> 'name', left_as ->> 'distance', (left_as ->> 'bib_from')::bigint, (left_as ->> 'bib_to')::bigint,
    (left_as ->> 'starts_at')::timestamptz
  )
),
told as materialized (
  select json_agg(json_build_object('name', name, 'distance', distance,
      'bib_from', bib_from, 'bib_to', bib_to,
      'starts_at',
      to_char(
        starts_at at time zone 'UTC' + make_interval(mins => coalesce(utc_offset_minutes, 0)),
        'YYYY-MM-DD"T"HH24:MI:SS.MS'
      )
      || case when utc_offset_minutes is null then 'Z' else
      case when utc_offset_minutes < 0 then '-' else '+' end
      || to_char(make_interval(mins => abs(utc_offset_minutes)), 'HH24:MI') end) order by ordinal) as before,
  json_agg(case when ordinal = (select ordinal from start)
    then (select wanted::json from revert) else json_build_object('name', name, 'distance', distance,
      'bib_from', bib_from, 'bib_to', bib_to,
      'starts_at',
      to_char(
        starts_at at time zone 'UTC' + make_interval(mins => coalesce(utc_offset_minutes, 0)),
        'YYYY-MM-DD"T"HH24:MI:SS.MS'
      )
      || case when utc_offset_minutes is null then 'Z' else
      case when utc_offset_minutes < 0 then '-' else '+' end
      || to_char(make_interval(mins => abs(utc_offset_minutes)), 'HH24:MI') end) end
    order by ordinal) as after
  from event_starts where event_id = (select event_id from target) and exists (select from start)
),
started as (
  update event_starts set starts_at = (wanted ->> 'starts_at')::timestamptz,
  utc_offset_minutes = extract(epoch from substring((wanted ->> 'starts_at') from '[+-]\d\d:\d\d$')::interval) / 60
  from start, revert
  where event_starts.event_id = (select event_id from target) and event_starts.ordinal = start.ordinal
),
versioned as (
  update event_settings set starts_version = starts_version + 1
  where event_id = (select event_id from target) and exists (select from start)
),
noted as (
  insert into event_changes (event_id, kind, before, after, user_id, api_key_id, key_prefix)
  select event_id, 'starts', before::text, after::text, null::text, api_key_id, key_prefix
  from target, told where exists (select from start)
)
select (select count(*)::int from restored) as passings from target;
