-- +: with decided, impossible, many, others, limits, hasStarts, leaver, idempotencyKey, contentHash, startsVersion; -: without
  -- storeBatch.key
  with target as materialized (
+   select told.* from (
+     select events.id as event_id, api_keys.id as api_key_id, key_prefix
+     from events join api_keys
+     on events.organization_id = api_keys.organization_id and events.id = coalesce(api_keys.event_id, events.id)
+     where events.id = $eventId and key_hash = $keyHash
+     and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes) for key share) told where coalesce((
+       select starts_version from event_settings where event_settings.event_id = told.event_id for share
+     ), 0) = $startsVersion::int),
+ -- The upload that this upload repeats.
+ earlier as materialized (
+   select id, uploaded, updated, unchanged, not_found_ordinals, left_rows, content_hash from result_batches
+   where event_id = (select event_id from target) and idempotency_key = $idempotencyKey::uuid
+ ),
-   select events.id as event_id, api_keys.id as api_key_id, key_prefix
-   from events join api_keys
-   on events.organization_id = api_keys.organization_id and events.id = coalesce(api_keys.event_id, events.id)
-   where events.id = $eventId and key_hash = $keyHash
-   and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes) for key share),
  -- The rows of the batch, unless the batch repeats an upload.
  input as materialized (
    select row.*,
    case when split_times_ms is null then '{}' else format(
      ($splitForms::text[])[splits_of], variadic string_to_array(split_times_ms, '|')
    ) end::jsonb as splits from unnest(
      $bibs::text[], $statuses::text[],
      $chipTimesMs::bigint[], $gunTimesMs::bigint[],
      $splitsOf::int[], $splitTimesMs::text[]
    ) with ordinality
    as row (bib_number, status, chip_time_ms, gun_time_ms, splits_of, split_times_ms, ordinal)
+   where not exists (select from earlier)
-   where true
  ),
  loadable as materialized (
    select input.*, registration.id as registration_id, registration.event_id,
    registration.distance
    from input join registrations registration
    on registration.event_id = (select event_id from target)
    and registration.bib_number = input.bib_number
    order by registration.id
    for key share of registration
  ),
  -- Rows that differ from the stored result, with the stored result. Equal results are locked too.
+ candidate as materialized (
- changed as materialized (
    select loadable.*, result
    from loadable left join lateral (
      select results as result from results where registration_id = loadable.registration_id for update
    ) stored on true
    where ((result).status, (result).chip_time_ms, (result).gun_time_ms, (result).splits)
    is distinct from
    (loadable.status, loadable.chip_time_ms, loadable.gun_time_ms, loadable.splits)
  ),
+ judged as materialized (
+   select candidate.*,
+   case
+   when (result).decided_by_person then 'decided_by_person'
+   when deleted_by is not null then 'deleted_by_person'
+   when (result).status = 'DSQ' and candidate.status in ('FINISHED') then 'disqualified'
+   when taken_back_by is not null then 'taken_back'
+   when candidate.status in ('FINISHED') and coalesce(candidate.chip_time_ms, candidate.gun_time_ms)
+   < ($limits::jsonb -> distance ->> 'fastestMs')::float8
+   then 'too_fast'
+   when candidate.status in ('FINISHED') and coalesce(candidate.chip_time_ms, candidate.gun_time_ms)
+   > ($limits::jsonb -> distance ->> 'slowestMs')::float8
+   then 'too_slow'
+   when not candidate.status in ('DNS') and coalesce((
+       select starts_at from event_starts
+       where event_id = (select event_id from target) and (distance is null or distance = candidate.distance)
+       and (bib_from is null or case when candidate.bib_number ~ '^[0-9]{1,12}$' then candidate.bib_number::bigint end between bib_from and bib_to)
+       order by bib_from is null, distance is null limit 1) > now(), false) then 'before_start'
+   when (greatest(
+       candidate.chip_time_ms - (result).chip_time_ms, candidate.gun_time_ms - (result).gun_time_ms) >= 60000 and count(*) over (partition by greatest(
+         candidate.chip_time_ms - (result).chip_time_ms, candidate.gun_time_ms - (result).gun_time_ms)) < 3) then 'second_finish'
+   when candidate.status in ('DNS') and exists (select from passings where passings.registration_id = candidate.registration_id)
+   then 'dns_with_passing' when (result).registration_id is not null and (result).batch_id not in (
+     select id from result_batches batch
+     where id = any(array(select distinct (result).batch_id from candidate)) and ((batch.sender, batch.user_id) is not distinct from ($leaver::text, null::text) and (
+         batch.api_key_id is not distinct from (select api_key_id from target)
+         or exists (select from api_keys where id = batch.api_key_id and not (revoked_at is null and (expires_at is null or expires_at > now())))
+     ))
+   ) and not (exists (
+       select from result_batches where id = (result).batch_id and source = 'shift'
+     ) and exists (
+       select from (
+         select replaced.batch_id as id from replaced_results replaced
+         where replaced.registration_id = candidate.registration_id and not exists (
+           select from result_batches where id = replaced.batch_id and source = 'shift'
+         )
+         order by replaced.id desc limit 1
+       ) earlier join result_batches batch using (id) where ((batch.sender, batch.user_id) is not distinct from ($leaver::text, null::text) and (
+           batch.api_key_id is not distinct from (select api_key_id from target)
+           or exists (select from api_keys where id = batch.api_key_id and not (revoked_at is null and (expires_at is null or expires_at > now())))
+       ))
+   ))
+   then 'of_another_sender' end as reason,
+   -- Added splits change no stored value.
+   (result).registration_id is not null and (
+     (candidate.status, candidate.chip_time_ms, candidate.gun_time_ms)
+     is distinct from ((result).status, (result).chip_time_ms, (result).gun_time_ms)
+     or not candidate.splits @> (result).splits
+   ) as is_change,
+   coalesce(deleted_by, taken_back_by, coalesce((result).restored_by, (result).batch_id)) as made_by
+   from candidate left join lateral (
+     select
+     (array_agg(batch_id order by id desc) filter (
+         where status is null and (candidate.result).registration_id is null
+     ))[1] as deleted_by,
+     case when (candidate.result).registration_id is null or (
+       bool_or(batch_id = coalesce((candidate.result).restored_by, (candidate.result).batch_id))
+       and (candidate.status, candidate.chip_time_ms, candidate.gun_time_ms) is distinct from
+       ((candidate.result).status, (candidate.result).chip_time_ms, (candidate.result).gun_time_ms)
+     ) then (array_agg(batch_id order by id desc) filter (
+         where (status, chip_time_ms, gun_time_ms)
+         is not distinct from (candidate.status, candidate.chip_time_ms, candidate.gun_time_ms)
+     ))[1] end as taken_back_by
+     from withdrawn_results where registration_id = candidate.registration_id
+   ) withdrawn on true
+ ),
+ sorted as materialized (
+   select judged.*, case when reason is null and is_change and (
+     select case when changes >= 3 then changes * 5 > (
+       select count(*) from (
+         select from result_batches batch
+         cross join lateral (
+           select from results where batch_id = batch.id and event_id = batch.event_id offset 0
+         ) result
+         where batch.event_id = (select event_id from target) and (((batch.sender, batch.user_id) is not distinct from ($leaver::text, null::text) and (
+               batch.api_key_id is not distinct from (select api_key_id from target)
+               or exists (select from api_keys where id = batch.api_key_id and not (revoked_at is null and (expires_at is null or expires_at > now())))
+           )) or batch.source = 'shift') limit changes * 5) stored
+     ) else false end
+     from (select count(*) as changes from judged where reason is null and is_change) counted
+   ) then 'too_many_changes' else reason end as left_reason
+   from judged
+ ),
+ -- The author of the stored result, or of its removal.
+ maker as materialized (
+   select batch.id, coalesce(batch.sender, api_key.name, batch.user_id) as who,
+   case when extract(year from (batch.received_at at time zone 'UTC')) between 1 and 9999
+   then to_char((batch.received_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as at,
+   batch.reason as why
+   from result_batches batch
+   left join api_keys api_key on api_key.id = batch.api_key_id
+   and api_key.organization_id = (select organization_id from events where id = batch.event_id)
+   where batch.id = any(array(select distinct made_by from sorted where left_reason is not null))
+   and batch.event_id = (select event_id from target)
+ ),
+ left_out as materialized (
+   select count(*)::int as left_count, count(*) filter (where not ((result).registration_id is not null))::int as left_new,
+   coalesce(json_agg(json_build_array(
+         ordinal, bib_number, left_reason, (result).status, (result).chip_time_ms, (result).gun_time_ms, who, at
+       ) order by ordinal)
+     , '[]') as left_rows
+   from (
+     select * from sorted
+     where left_reason is not null
+   ) sorted
+   left join maker on maker.id = made_by
+ ),
+ changed as materialized (select * from sorted where left_reason is null),
  missing as materialized (
    select coalesce(array_agg(ordinal order by ordinal), '{}') as ordinals,
    (array_agg(left(bib_number, 100) order by ordinal))[1:100] as bibs
    from (
      select ordinal::int, bib_number from input except select ordinal::int, bib_number from loadable
    ) missing
    where (select count(*) from loadable) < $loadable::int
  ),
  -- Copies of the results that the batch replaces or removes.
  kept as (
    insert into replaced_results (replaced_by, registration_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at)
    select $batchId::uuid, (result).registration_id, (result).batch_id, (result).restored_by, (result).status, (result).chip_time_ms, (result).gun_time_ms, (result).splits, (result).first_finished_at, (result).decided_by_person, (result).updated_at from changed
    where (result).registration_id is not null
  ),
  updated as (
    update results stored set batch_id = $batchId::uuid, restored_by = null, status = changed.status, chip_time_ms = changed.chip_time_ms, gun_time_ms = changed.gun_time_ms, splits = changed.splits, first_finished_at = coalesce((changed.result).first_finished_at, case when changed.status in ('FINISHED') then now() end), decided_by_person = $isByHand::boolean, updated_at = now()
    from changed
    where stored.registration_id = changed.registration_id and stored.event_id = (select event_id from target)
    and (changed.result).registration_id is not null and true
    returning 1
  ),
  -- First results. A result that a concurrent transaction inserts is left out.
  inserted as (
    insert into results (registration_id, event_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at)
    select registration_id, (select event_id from target), $batchId::uuid, null, changed.status, changed.chip_time_ms, changed.gun_time_ms, changed.splits, coalesce((changed.result).first_finished_at, case when changed.status in ('FINISHED') then now() end), $isByHand::boolean, now()
    from changed
    where (changed.result).registration_id is null and true
    order by registration_id
    on conflict (registration_id) do nothing
    returning 1
  ),
  -- The batch with its counts. The counts come from "from", so that the number is drawn after the locks.
  recorded as (
    insert into result_batches (
+     id, event_id, api_key_id, key_prefix, uploaded, updated, removed, not_found, errors, duplicates, user_id, source, file_name, sender, reason, is_by_hand, idempotency_key, content_hash, not_found_ordinals, left_rows, left_count, total_processed, unchanged, not_found_bibs
-     id, event_id, api_key_id, key_prefix, uploaded, updated, removed, not_found, errors, duplicates, user_id, source, file_name, sender, reason, is_by_hand, total_processed, unchanged, not_found_bibs
    )
    select $batchId::uuid, target.event_id, api_key_id, key_prefix, inserted, updated + same, removed,
+   cardinality(ordinals), $errors::int, $duplicates::int, null::text, $source, $fileName, $sender::text, $reason::text, $isByHand::boolean, $idempotencyKey::uuid, $contentHash::text, ordinals, left_rows::jsonb, left_count, $total::int, same, bibs
-   cardinality(ordinals), $errors::int, $duplicates::int, null::text, $source, $fileName, $sender::text, $reason::text, $isByHand::boolean, $total::int, same, bibs
    from target, (select count(*)::int as inserted from inserted) inserted, (select count(*)::int as updated from updated) updated,
    (select 0 as removed) removed, missing,
    (select (
+       (select count(*) from loadable) - (select count(*) from candidate)
-       (select count(*) from loadable) - (select count(*) from changed)
      )::int as same) same
+   , left_out
+   where not exists (select from earlier)
-   where true
    returning id, uploaded, updated, unchanged
  )
  select recorded.id as batch_id, uploaded, updated, unchanged, ordinals as missing,
  (
    select count(*)::int from changed
    where (result).splits is distinct from splits
    and exists (select from jsonb_object_keys((result).splits) split where not splits ? split)
  ) as splits_removed,
  (
    select count(*)::int from changed
    where (result).gun_time_ms is not null and gun_time_ms is null and chip_time_ms is not null
  ) as gun_times_removed,
  array(
    select ordinal::int from changed where status in ('FINISHED')
    and coalesce(chip_time_ms, gun_time_ms) >= 1.5 * (result).finish_time_ms
    order by ordinal
  ) as second_finishes, array(select ordinal::int from changed where status in ('DNS') and exists (select from passings where passings.registration_id = changed.registration_id) order by ordinal) as dns_with_passing,
+ array(select ordinal::int from changed where (
+     exists (select from event_starts where event_id = (select event_id from target)) and (changed.result).registration_id is not null and exists (
+       select from (
+         select replaced_by, status, chip_time_ms, gun_time_ms from replaced_results
+         where replaced_results.registration_id = (changed.result).registration_id order by id desc limit 1
+       ) latest
+       where replaced_by = coalesce((changed.result).restored_by, (changed.result).batch_id)
+       and (latest.status, latest.chip_time_ms, latest.gun_time_ms)
+       is not distinct from (changed.status, changed.chip_time_ms, changed.gun_time_ms)
+       and (latest.status, latest.chip_time_ms, latest.gun_time_ms)
+       is distinct from ((changed.result).status, (changed.result).chip_time_ms, (changed.result).gun_time_ms)
+       and exists (select from result_batches where id = replaced_by and source = 'shift')
+     )
+   ) order by ordinal) as old_gun,
- '{}'::int[] as old_gun,
  (
    select coalesce(json_agg(times), '[]') from (
      select distance, count(*)::int as count,
      min(coalesce(chip_time_ms, gun_time_ms)) as "fastestMs",
      max(coalesce(chip_time_ms, gun_time_ms)) as "slowestMs"
      from loadable where status in ('FINISHED') and distance is not null
      group by distance order by count(*) desc, distance limit 50
    ) times
  ) as distances,
+ left_rows as left_rows, true as is_same_content
+ from recorded, missing , left_out
+ union all
+ select id, uploaded, updated, unchanged, not_found_ordinals, 0, 0, '{}', '{}', '{}', '[]',
+ coalesce(left_rows, '[]')::json, content_hash = $contentHash::text
+ from earlier
- '[]'::json as left_rows, true as is_same_content
- from recorded, missing;
