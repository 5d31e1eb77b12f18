-- deletePassingsOfPoint.key
with target as materialized (
  select events.id as event_id, api_keys.id as api_key_id, key_prefix
  from events join api_keys
  on events.organization_id = api_keys.organization_id and events.id = coalesce(api_keys.event_id, events.id)
  where events.id = $eventId and key_hash = $keyHash
  and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes) for key share),
-- Locked in the order of uploads.
changed as materialized (
  select registration_id, point, null::bigint as time_ms, null::uuid as upload_id, time_ms as stored_ms, upload_id as stored_upload_id, received_at as stored_at from passings
  where event_id = (select event_id from target) and point = coalesce(coalesce(
      (
        select point from passings where event_id = (select event_id from target) and point = $point::text order by time_ms limit 1
      ),
      (select point from (select point, lower(normalize(regexp_replace(regexp_replace(
                  point, '[\u00ad\u180e\u200b\u2060-\u2064\ufeff]', '', 'g'),
                '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'))) as folded from (
            with recursive named as (
              select min(point) as point from passings where event_id = (select event_id from target)
              union all
              select (select min(point) from passings where event_id = (select event_id from target) and point > named.point)
              from named where point is not null
            )
            select point from named where point is not null) known) known where folded = lower(normalize(regexp_replace(regexp_replace(
                $point::text, '[\u00ad\u180e\u200b\u2060-\u2064\ufeff]', '', 'g'),
              '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'))) order by point limit 1)
    ), $point::text)
  order by registration_id for update
),
-- Copies of the passings that the upload replaces or removes.
kept as (
  insert into replaced_passings (registration_id, point, time_ms, upload_id, replaced_by, received_at)
  select registration_id, point, stored_ms, stored_upload_id, $uploadId::uuid, stored_at from changed
  where stored_ms is not null
),
marked as (
  insert into withdrawn_passings (registration_id, point, upload_id, time_ms, left_upload_id)
  select registration_id, point, $uploadId::uuid, null, upload_id
  from changed
  where stored_ms is not null
),
updated as (
  update passings stored set time_ms = changed.time_ms, upload_id = changed.upload_id, received_at = now()
  from changed
  where stored.registration_id = changed.registration_id and stored.event_id = (select event_id from target)
  and stored.point = changed.point and stored_ms is not null and changed.time_ms is not null
  returning 1
),
-- First passings. A passing that a concurrent transaction inserts is left out.
inserted as (
  insert into passings (registration_id, event_id, point, time_ms, upload_id)
  select registration_id, (select event_id from target), point, time_ms, upload_id from changed
  where stored_ms is null and time_ms is not null
  order by registration_id, point
  on conflict (registration_id, event_id, point) do nothing
  returning 1
),
removed as (
  delete from passings stored using changed where stored.registration_id = changed.registration_id and stored.event_id = (select event_id from target)
  and stored.point = changed.point and changed.time_ms is null
  returning 1
),
-- The upload with its counts. The counts come from "from", so that the number is drawn after the locks.
recorded as (
  insert into passing_uploads (
    id, event_id, api_key_id, key_prefix, uploaded, updated, removed, not_found, errors, duplicates, user_id, source, deleted_point, total_processed
  )
  select $uploadId::uuid, target.event_id, api_key_id, key_prefix, inserted, updated + 0, removed,
  0, 0, 0, null::text, 'delete', (select point from changed limit 1), (select count(*) from changed)
  from target, (select count(*)::int as inserted from inserted) inserted,
  (select count(*)::int as updated from updated) updated,
  (select count(*)::int as removed from removed) removed
  where exists (select from changed)
  returning id, uploaded, updated, unchanged, removed
)
select (select id from recorded) as upload_id, (select count(*)::int from changed) as total from target;
