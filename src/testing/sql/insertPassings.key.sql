-- +: with decided, impossible, many, others, limits, hasStarts, leaver, pointKms, startsVersion; -: without
  -- insertPassings.key
  with target as materialized (
+   select told.* from (
+     select events.id as event_id, api_keys.id as api_key_id, key_prefix
+     from events join api_keys
+     on events.organization_id = api_keys.organization_id and events.id = coalesce(api_keys.event_id, events.id)
+     where events.id = $eventId and key_hash = $keyHash
+     and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes) for key share) told where coalesce((
+       select starts_version from event_settings where event_settings.event_id = told.event_id for share
+     ), 0) = $startsVersion::int),
-   select events.id as event_id, api_keys.id as api_key_id, key_prefix
-   from events join api_keys
-   on events.organization_id = api_keys.organization_id and events.id = coalesce(api_keys.event_id, events.id)
-   where events.id = $eventId and key_hash = $keyHash
-   and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes) for key share),
  -- The first upload, if this upload is a repetition.
  earlier as materialized (
    select * from passing_uploads where event_id = (select event_id from target) and idempotency_key = $idempotencyKey::uuid
  ),
  known_points as materialized (select point, lower(normalize(regexp_replace(regexp_replace(
            point, '[\u00ad\u180e\u200b\u2060-\u2064\ufeff]', '', 'g'),
          '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'))) as folded from (
      with recursive named as (
        select min(point) as point from passings where event_id = (select event_id from target)
        union all
        select (select min(point) from passings where event_id = (select event_id from target) and point > named.point)
        from named where point is not null
      )
      select point from named where point is not null) known),
  found_points as materialized (
    select point_ordinal, sent,
    coalesce(
      (
        select point from passings where event_id = (select event_id from target) and point = sent order by time_ms limit 1
      ),
      (select point from known_points where folded = sent_point.folded order by point limit 1)
    ) as known
    from (
      select point_ordinal, sent, lower(normalize(regexp_replace(regexp_replace(
              sent, '[\u00ad\u180e\u200b\u2060-\u2064\ufeff]', '', 'g'),
            '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'))) as folded
      from unnest($points::text[]) with ordinality as sent_point (sent, point_ordinal) offset 0
    ) sent_point
  ),
  sent_points as materialized (
    select point_ordinal, known is null as is_new,
    case when row_number() over (partition by known order by known = sent desc, point_ordinal) = 1
    then coalesce(known, sent) else sent end as point
    from found_points
  ),
  -- The rows of the upload, unless the upload is a repetition.
  input as materialized (
    select row.* from (
      select bib_number, point, time_ms, ordinal
      from unnest($bibs::text[], $pointsOf::int[], $timesMs::bigint[])
      with ordinality as sent (bib_number, point_ordinal, time_ms, ordinal)
      join sent_points using (point_ordinal)
    ) as row
    where not exists (select from earlier)
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
  -- The event's points are counted only if some points are new.
  room as materialized (
    select case when number > 0
    then number + (select count(*) from known_points) > 1000
    else false end as is_crowded
    from (
      select count(*) as number from sent_points
      where is_new and point in (select point from loadable)
    ) new_points
  ),
  -- Rows that differ from the stored passings, with the stored passings. Equal passings are locked too.
+ candidate as materialized (
- changed as materialized (
    select sent.*, stored.*
    from (
      select loadable.*, $uploadId::uuid as upload_id from loadable
      where not (select is_crowded from room) order by registration_id, point offset 0) sent
    left join lateral (
      select time_ms as stored_ms, upload_id as stored_upload_id, received_at as stored_at from passings
      where registration_id = sent.registration_id and event_id = sent.event_id and point = sent.point
      for update
    ) stored on true
    where stored_ms is distinct from sent.time_ms
  ),
+ judged as materialized (
+   select candidate.*,
+   case when deleted_by is not null then 'deleted_by_person' when taken_back_by is not null then 'taken_back'
+   when result_status in ('DNS') then 'passing_of_dns'
+   when time_ms < coalesce((
+       select km from event_points
+       where event_id = (select event_id from target) and lower(name) = lower(candidate.point)
+       and (distance is null or distance = candidate.distance)
+       order by distance is null limit 1
+     ), named_km) * 120000 then 'faster_than_point'
+   when time_ms > finish_ms then 'after_finish'
+   when ((time_ms - stored_ms) >= 60000 and count(*) over (partition by (time_ms - stored_ms)) < 3) then 'second_passing'
+   when coalesce((
+       select starts_at from event_starts
+       where event_id = (select event_id from target) and (distance is null or distance = candidate.distance)
+       and (bib_from is null or case when candidate.bib_number ~ '^[0-9]{1,12}$' then candidate.bib_number::bigint end between bib_from and bib_to)
+       order by bib_from is null, distance is null limit 1) > now(), false) then 'before_start' when stored_ms is not null and stored_upload_id not in (
+     select id from passing_uploads batch
+     where id = any(array(select distinct stored_upload_id from candidate)) and ((batch.sender, batch.user_id) is not distinct from ($leaver::text, null::text) and (
+         batch.api_key_id is not distinct from (select api_key_id from target)
+         or exists (select from api_keys where id = batch.api_key_id and not (revoked_at is null and (expires_at is null or expires_at > now())))
+     ))
+   ) and not (exists (
+       select from passing_uploads where id = stored_upload_id and source = 'shift'
+     ) and exists (
+       select from (
+         select replaced.upload_id as id from replaced_passings replaced
+         where replaced.registration_id = candidate.registration_id and replaced.point = candidate.point and not exists (
+           select from passing_uploads where id = replaced.upload_id and source = 'shift'
+         )
+         order by replaced.id desc limit 1
+       ) earlier join passing_uploads batch using (id) where ((batch.sender, batch.user_id) is not distinct from ($leaver::text, null::text) and (
+           batch.api_key_id is not distinct from (select api_key_id from target)
+           or exists (select from api_keys where id = batch.api_key_id and not (revoked_at is null and (expires_at is null or expires_at > now())))
+       ))
+   ))
+   then 'of_another_sender' end as reason,
+   stored_ms is not null as is_change,
+   coalesce(deleted_by, taken_back_by, stored_upload_id) as made_by
+   from candidate
+   left join lateral (
+     select
+     (array_agg(upload_id order by id desc) filter (where time_ms is null and stored_ms is null))[1] as deleted_by,
+     case when stored_ms is null or bool_or(left_upload_id = stored_upload_id)
+     then (array_agg(upload_id order by id desc) filter (where time_ms = candidate.time_ms))[1]
+     end as taken_back_by
+     from withdrawn_passings where registration_id = candidate.registration_id and point = candidate.point
+   ) withdrawn on true
+   left join (
+     select point, km::float8 as named_km from sent_points
+     join json_array_elements_text($pointKms::json) with ordinality as named (km, number) on number = point_ordinal
+   ) point_km on point_km.point = candidate.point
+   left join lateral (
+     select status as result_status, greatest(chip_time_ms, gun_time_ms) as finish_ms from results
+     where registration_id = candidate.registration_id
+   ) result on true
+ ),
+ sorted as materialized (
+   select judged.*, case when reason is null and is_change and (
+     select case when changes >= 3 then changes * 5 > (
+       select count(*) from (
+         select from passings join passing_uploads batch on batch.id = passings.upload_id
+         where passings.event_id = (select event_id from target) and (((batch.sender, batch.user_id) is not distinct from ($leaver::text, null::text) and (
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
+   null::text as why
+   from passing_uploads batch
+   left join api_keys api_key on api_key.id = batch.api_key_id
+   and api_key.organization_id = (select organization_id from events where id = batch.event_id)
+   where batch.id = any(array(select distinct made_by from sorted where left_reason is not null))
+   and batch.event_id = (select event_id from target)
+ ),
+ left_out as materialized (
+   select count(*)::int as left_count, count(*) filter (where not (stored_ms is not null))::int as left_new,
+   coalesce(json_agg(json_build_array(
+         ordinal, bib_number, left_reason, stored_ms, who, at
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
  -- Copies of the passings that the upload replaces or removes.
  kept as (
    insert into replaced_passings (registration_id, point, time_ms, upload_id, replaced_by, received_at)
    select registration_id, point, stored_ms, stored_upload_id, $uploadId::uuid, stored_at from changed
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
+     id, event_id, api_key_id, key_prefix, uploaded, updated, removed, not_found, errors, duplicates, user_id, sender, source, file_name, idempotency_key, content_hash, left_rows, left_count, not_found_ordinals, total_processed, unchanged
-     id, event_id, api_key_id, key_prefix, uploaded, updated, removed, not_found, errors, duplicates, user_id, sender, source, file_name, idempotency_key, content_hash, not_found_ordinals, total_processed, unchanged
    )
    select $uploadId::uuid, target.event_id, api_key_id, key_prefix, inserted, updated + same, removed,
+   cardinality(ordinals), $errors::int, $duplicates::int, null::text, $sender::text, $source::text, $fileName::text, $idempotencyKey::uuid, $contentHash::text, left_rows::jsonb, left_count, ordinals, $total::int, same
-   cardinality(ordinals), $errors::int, $duplicates::int, null::text, $sender::text, $source::text, $fileName::text, $idempotencyKey::uuid, $contentHash::text, ordinals, $total::int, same
    from target, (select count(*)::int as inserted from inserted) inserted,
    (select count(*)::int as updated from updated) updated,
    (select count(*)::int as removed from removed) removed, missing,
+   (select ((select count(*) from loadable) - (select count(*) from candidate))::int as same) same
+   , left_out
-   (select ((select count(*) from loadable) - (select count(*) from changed))::int as same) same
    where not (select is_crowded from room) and not exists (select from earlier)
    returning id, uploaded, updated, unchanged, removed
  )
  select recorded.id as upload_id, uploaded, updated, unchanged, ordinals as missing,
+ array(select ordinal::int from changed row join results on results.registration_id = row.registration_id and results.event_id = row.event_id where results.status in ('DNS') order by ordinal) as dns_with_passing, array(select ordinal::int from changed row cross join lateral (
+     select row.registration_id, row.point, row.stored_ms as time_ms, row.stored_upload_id as upload_id
+   ) stored where (
+     exists (select from event_starts where event_id = (select event_id from target)) and stored.upload_id is not null and stored.time_ms <> row.time_ms and exists (
+       select from (
+         select replaced_by, time_ms from replaced_passings
+         where replaced_passings.registration_id = stored.registration_id
+         and replaced_passings.point = stored.point
+         order by id desc limit 1
+       ) latest
+       where replaced_by = stored.upload_id and latest.time_ms = row.time_ms
+       and exists (select from passing_uploads where id = replaced_by and source = 'shift')
+     )
+   ) order by ordinal) as old_gun,
+ left_rows as left_rows, true as is_same_content,
- array(select ordinal::int from changed row join results on results.registration_id = row.registration_id and results.event_id = row.event_id where results.status in ('DNS') order by ordinal) as dns_with_passing, '{}'::int[] as old_gun,
- '[]'::json as left_rows, true as is_same_content,
  false as is_replayed, false as is_crowded
+ from recorded, missing , left_out
- from recorded, missing
  union all
  select $uploadId::uuid, 0, 0, 0, ordinals, '{}', '{}', '[]', true, false, true
  from target, missing, room where is_crowded and not exists (select from earlier)
  union all
  select id, uploaded, updated, unchanged, not_found_ordinals, '{}', '{}', coalesce(left_rows, '[]')::json,
  content_hash = $contentHash::text, true, false
  from earlier;
