-- +: with revertId; -: without
  -- revertBatch.key
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
  -- No transaction deletes these registrations, moves them to another event or changes their bibs before the end.
  locked as materialized (
    select touched.*
    from (select * from touched order by registration_id offset 0) touched
    cross join lateral (
      select from registrations
      where id = touched.registration_id and event_id = (select event_id from batch)
      for key share
    ) registration
  ),
  -- The stored result and the replaced results. The stored result has no ordinal: the stored result comes last.
  content as materialized (
    select runner.registration_id, bib_number, result.*,
    lead(made_by) over (partition by runner.registration_id order by step) as next_made_by
    from locked runner cross join lateral (
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
  -- Whether uploads wrote passings after the swap, in the order of the locks, and the present number of passings.
  passing_state as materialized (
    select count(*) as passings, coalesce(bool_or(upload.effect_order > batch.effect_order), false) as is_later
    from batch join passings passing on passing.registration_id = any(swapped_registrations)
    and passing.event_id = batch.event_id
    left join passing_uploads upload on upload.id = passing.upload_id
  ),
  change as materialized (
    select registration_id, bib_number, before, after, present, is_undone,
    is_current and (swapped_registrations is null or (
        bool_and(is_current) over () and not is_later and passings = swapped_passings
    )) as is_current,
    swapped_registrations is not null and not is_undone as is_of_swap
    from (
      select after.registration_id, after.bib_number, before, after, present,
      present.batch_id is not distinct from after.batch_id as is_current,
      present.batch_id is distinct from after.batch_id
      and present.batch_id is not distinct from before.batch_id as is_undone
      from version after
      join version present
      on present.registration_id = after.registration_id and present.number = present.versions
      left join version before
      on before.registration_id = after.registration_id and before.number = after.number - 1
      where after.made_by = (select id from batch)) change cross join batch cross join passing_state
  ),
+ -- The results after the batch, locked, and the results before. A result that a concurrent transaction wrote is left
+ -- out.
+ changed as materialized (
+   select current.registration_id, before, result
+   from (
+     select registration_id, before, present from change where is_current
+     order by registration_id offset 0
+   ) current
+   left join lateral (
+     select * from results
+     where registration_id = current.registration_id and batch_id = (present).batch_id
+     for update
+   ) result on true
+   where (result).batch_id is not distinct from (present).batch_id
+ ),
+ unmarked as (
+   delete from withdrawn_results marks using changed, batch
+   where num_nonnulls(deleted_registration, swapped_registrations) > 0 and upload_stands
+   and marks.registration_id = changed.registration_id and marks.batch_id = batch.upload_id
+ ),
+ marked_again as (
+   insert into withdrawn_results (registration_id, batch_id)
+   select registration_id, upload_id from changed cross join batch
+   where num_nonnulls(deleted_registration, swapped_registrations) > 0 and not upload_stands and (before).batch_id is null
+ ),
+ swapped_back as materialized (
+   select own.registration_id, other.registration_id as other_id
+   from change own join change other on other.registration_id <> own.registration_id
+   where own.is_current and own.is_of_swap
+ ),
+ passed as (
+   update passings passing set
+   registration_id = case when other.point is null then own.other_id else passing.registration_id end,
+   time_ms = coalesce(other.time_ms, passing.time_ms),
+   upload_id = coalesce(other.upload_id, passing.upload_id),
+   received_at = now()
+   from (
+     select pair.other_id, passings.registration_id, passings.point
+     from swapped_back pair join passings using (registration_id)
+     where passings.event_id = (select event_id from batch)
+   ) own
+   left join passings other
+   on other.registration_id = own.other_id and other.point = own.point
+   and other.event_id = (select event_id from batch)
+   where passing.registration_id = own.registration_id and passing.point = own.point
+   and passing.event_id = (select event_id from batch)
+   returning 1
+ ),
+ -- Copies of the results that the batch replaces or removes.
+ kept as (
+   insert into replaced_results (replaced_by, registration_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at)
+   select $revertId::uuid, (result).registration_id, (result).batch_id, (result).restored_by, (result).status, (result).chip_time_ms, (result).gun_time_ms, (result).splits, (result).first_finished_at, (result).decided_by_person, (result).updated_at from changed
+   where (result).registration_id is not null
+ ),
+ updated as (
+   update results stored set batch_id = (changed.before).batch_id, restored_by = $revertId::uuid, status = (changed.before).status, chip_time_ms = (changed.before).chip_time_ms, gun_time_ms = (changed.before).gun_time_ms, splits = (changed.before).splits, first_finished_at = (changed.before).first_finished_at, decided_by_person = (changed.before).decided_by_person, updated_at = (changed.before).updated_at
+   from changed
+   where stored.registration_id = changed.registration_id and stored.event_id = (select event_id from target)
+   and (changed.result).registration_id is not null and (changed.before).batch_id is not null
+   returning 1
+ ),
+ -- First results. A result that a concurrent transaction inserts is left out.
+ inserted as (
+   insert into results (registration_id, event_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at)
+   select registration_id, (select event_id from target), (changed.before).batch_id, $revertId::uuid, (changed.before).status, (changed.before).chip_time_ms, (changed.before).gun_time_ms, (changed.before).splits, (changed.before).first_finished_at, (changed.before).decided_by_person, (changed.before).updated_at
+   from changed
+   where (changed.result).registration_id is null and (changed.before).batch_id is not null
+   order by registration_id
+   on conflict (registration_id) do nothing
+   returning 1
+ ),
+ removed as (
+   delete from results stored using changed
+   where stored.registration_id = changed.registration_id and stored.event_id = (select event_id from target)
+   and not ((changed.before).batch_id is not null)
+   returning stored.registration_id
+ ),
+ marked as (
+   insert into withdrawn_results (registration_id, batch_id, status, chip_time_ms, gun_time_ms)
+   select registration_id, $revertId::uuid, (result).status, (result).chip_time_ms, (result).gun_time_ms
+   from changed where (result).registration_id is not null
+ ),
+ -- The batch with its counts. The counts come from "from", so that the number is drawn after the locks.
+ recorded as (
+   insert into result_batches (
+     id, event_id, api_key_id, key_prefix, uploaded, updated, removed, not_found, errors, duplicates, user_id, source, reason, reverts, reverted_upload, upload_stands, total_processed
+   )
+   select $revertId::uuid, target.event_id, api_key_id, key_prefix, inserted, updated + 0, removed,
+   0, 0, 0, null::text, 'revert', $reason::text, batch.id, upload_id, not upload_stands, current
+   from target, (select count(*)::int as inserted from inserted) inserted, (select count(*)::int as updated from updated) updated,
+   (select count(*)::int as removed from removed) removed, batch, (select count(*) as current from change where is_current) current
+   where current > 0 or (is_of_shift and not exists (
+       select from result_batches later
+       where later.reverted_upload = batch.upload_id and later.effect_order > batch.effect_order
+   ))
+   returning id, uploaded, updated, unchanged
+ )
- recorded as (select null::uuid as id)
  select (select id from recorded) as batch_id, batch.id as reverts,
+ false as dry_run,
- true as dry_run,
  count(*) filter (
    where is_current and (present).batch_id is not null and (before).batch_id is not null
  )::int as restored,
  count(*) filter (where is_current and (before).batch_id is null)::int as removed,
  count(*) filter (where is_current and (present).batch_id is null)::int as reinstated,
  count(*) filter (where is_undone)::int as already_reverted,
  count(*) filter (where not is_current and not is_undone)::int as kept,
  coalesce(bool_or(is_of_swap and not is_current), false) as is_refused,
  coalesce((
      select json_agg(kept) from (
        select registration_id as inscription_id, bib_number, (present).made_by as batch_id
        from change where not is_current and not is_undone
        order by char_length(bib_number), bib_number collate "C", registration_id limit 1000
      ) kept
    ), '[]') as kept_rows
  from batch left join change on true
  group by batch.id;
