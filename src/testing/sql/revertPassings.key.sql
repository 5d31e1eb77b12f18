-- +: with revertId; -: without
  -- revertPassings.key
  with recursive target as materialized (
    select events.id as event_id, api_keys.id as api_key_id, key_prefix
    from events join api_keys
    on events.organization_id = api_keys.organization_id and events.id = coalesce(api_keys.event_id, events.id)
    where events.id = $eventId and key_hash = $keyHash
    and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes) for key share),
  upload as materialized (
    select id, source, reverts, effect_order from passing_uploads
    where id = $uploadId::uuid and event_id = (select event_id from target) and not exists (select from result_batches where result_batches.id = passing_uploads.id)
  ),
  -- The passings replaced by the upload, and the passings restored by a revert.
  before as materialized (
    select registration_id, point, time_ms, upload_id from replaced_passings
    where replaced_by = (select id from upload)
  ),
  brought_back as materialized (
    select registration_id, point, upload_id from replaced_passings
    where replaced_by = (select reverts from upload)
  ),
  -- Passings replaced by a later upload are touched too.
  touched as materialized (
    select registration_id, point from before
    union select registration_id, point from brought_back
    union select registration_id, point from replaced_passings where upload_id = (select id from upload)
    union select registration_id, point from passings
    where event_id = (select event_id from target) and upload_id = (select id from upload)
  ),
  -- Runners with the passings of another runner: a later swap stands.
  swapped as materialized (
    select unnest(swapped_registrations) as registration_id from result_batches swap
    where event_id = (select event_id from target) and swapped_registrations is not null
    and effect_order > (select effect_order from upload)
    and coalesce((
        select upload_stands from result_batches
        where reverted_upload = swap.id order by result_batches.effect_order desc limit 1
      ), true)
  ),
  -- Each passing in three states: now, locked; as the upload left the passing; and before the upload.
  state as materialized (
    select touched.*, before.time_ms, before.upload_id, stored.*,
    case upload.source when 'revert' then brought_back.upload_id when 'delete' then null else upload.id end
    as left_upload_id
    from (select * from touched order by registration_id, point offset 0) touched
    cross join lateral (
      select from registrations where id = touched.registration_id and event_id = (select event_id from target) for key share
    ) registration
    cross join upload
    left join before using (registration_id, point)
    left join brought_back using (registration_id, point)
    left join lateral (
      select time_ms as stored_ms, upload_id as stored_upload_id, received_at as stored_at from passings where registration_id = touched.registration_id and point = touched.point and event_id = (select event_id from target) for update
    ) stored on true
  ),
  judged as materialized (
    select *, is_own and stored_upload_id is not distinct from left_upload_id as is_current,
    is_own and stored_upload_id is distinct from left_upload_id and stored_upload_id is not distinct from upload_id
    as is_undone
    from (select *, registration_id not in (select registration_id from swapped) as is_own from state) state
  ),
  changed as materialized (select * from judged where is_current),
+ -- The chain of reverts down to its first upload.
+ chain as (
+   select id, source, reverts, 0 as length from upload
+   union all
+   select made.id, made.source, made.reverts, length + 1
+   from chain join passing_uploads made on made.id = chain.reverts
+ ),
+ deletion as materialized (select id, length % 2 = 0 as stands from chain where source = 'delete'),
+ unmarked as (
+   delete from withdrawn_passings marks using changed, deletion
+   where stands and marks.registration_id = changed.registration_id and marks.point = changed.point
+   and marks.upload_id = deletion.id
+ ),
+ marked_again as (
+   insert into withdrawn_passings (registration_id, point, upload_id)
+   select registration_id, point, deletion.id from changed cross join deletion
+   where not stands and changed.time_ms is null
+ ),
+ -- Copies of the passings that the upload replaces or removes.
+ kept as (
+   insert into replaced_passings (registration_id, point, time_ms, upload_id, replaced_by, received_at)
+   select registration_id, point, stored_ms, stored_upload_id, $revertId::uuid, stored_at from changed
+   where stored_ms is not null
+ ),
+ marked as (
+   insert into withdrawn_passings (registration_id, point, upload_id, time_ms, left_upload_id)
+   select registration_id, point, $revertId::uuid, stored_ms, upload_id
+   from changed
+   where stored_ms is not null
+ ),
+ updated as (
+   update passings stored set time_ms = changed.time_ms, upload_id = changed.upload_id, received_at = now()
+   from changed
+   where stored.registration_id = changed.registration_id and stored.event_id = (select event_id from target)
+   and stored.point = changed.point and stored_ms is not null and changed.time_ms is not null
+   returning 1
+ ),
+ -- First passings. A passing that a concurrent transaction inserts is left out.
+ inserted as (
+   insert into passings (registration_id, event_id, point, time_ms, upload_id)
+   select registration_id, (select event_id from target), point, time_ms, upload_id from changed
+   where stored_ms is null and time_ms is not null
+   order by registration_id, point
+   on conflict (registration_id, event_id, point) do nothing
+   returning 1
+ ),
+ removed as (
+   delete from passings stored using changed where stored.registration_id = changed.registration_id and stored.event_id = (select event_id from target)
+   and stored.point = changed.point and changed.time_ms is null
+   returning 1
+ ),
+ -- The upload with its counts. The counts come from "from", so that the number is drawn after the locks.
+ recorded as (
+   insert into passing_uploads (
+     id, event_id, api_key_id, key_prefix, uploaded, updated, removed, not_found, errors, duplicates, user_id, source, reverts, total_processed
+   )
+   select $revertId::uuid, target.event_id, api_key_id, key_prefix, inserted, updated + 0, removed,
+   0, 0, 0, null::text, 'revert', (select id from upload), (select count(*) from changed)
+   from target, (select count(*)::int as inserted from inserted) inserted,
+   (select count(*)::int as updated from updated) updated,
+   (select count(*)::int as removed from removed) removed
+   where exists (select from changed)
+   returning id, uploaded, updated, unchanged, removed
+ )
- recorded as (select null::uuid as id)
  select (select id from recorded) as upload_id, upload.id as reverts,
+ false as dry_run,
- true as dry_run,
  count(*) filter (where is_current and stored_ms is not null and time_ms is not null)::int as restored,
  count(*) filter (where is_current and time_ms is null)::int as removed,
  count(*) filter (where is_current and stored_ms is null)::int as reinstated,
  count(*) filter (where is_undone)::int as already_reverted,
  count(*) filter (where not is_current and not is_undone)::int as kept
  from upload left join judged on true
  group by upload.id;
