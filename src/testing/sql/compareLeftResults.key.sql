-- +: with decided, impossible, many, others, limits, hasStarts, leaver; -: without
  -- compareLeftResults.key
  with target as materialized (
    select id as event_id, (select "id" from api_keys where key_hash = $keyHash
      and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) as api_key_id from events where id = (select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
        and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
          and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))
  ),
  input as materialized (select row.*,
    case when split_times_ms is null then '{}' else format(
      ($splitForms::text[])[splits_of], variadic string_to_array(split_times_ms, '|')
    ) end::jsonb as splits from unnest(
      $bibs::text[], $statuses::text[],
      $chipTimesMs::bigint[], $gunTimesMs::bigint[],
      $splitsOf::int[], $splitTimesMs::text[]
    ) with ordinality
    as row (bib_number, status, chip_time_ms, gun_time_ms, splits_of, split_times_ms, ordinal)),
  candidate as materialized (
    select input.*, registration.id as registration_id, registration.event_id, registration.distance, result
    from input
    join registrations registration
    on registration.event_id = (select event_id from target)
    and registration.bib_number = input.bib_number
    left join results result on result.registration_id = registration.id
    and result.event_id = registration.event_id
    where (result.status, result.chip_time_ms, result.gun_time_ms, result.splits)
    is distinct from (input.status, input.chip_time_ms, input.gun_time_ms, input.splits)
  ),
  judged as materialized (
    select candidate.*,
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
-   null::text as reason,
    -- Added splits change no stored value.
    (result).registration_id is not null and (
      (candidate.status, candidate.chip_time_ms, candidate.gun_time_ms)
      is distinct from ((result).status, (result).chip_time_ms, (result).gun_time_ms)
      or not candidate.splits @> (result).splits
    ) as is_change,
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
-   coalesce(coalesce((result).restored_by, (result).batch_id)) as made_by
-   from candidate
  ),
  sorted as materialized (
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
-   select judged.*, reason as left_reason
    from judged
  ),
  -- The author of the stored result, or of its removal.
  maker as materialized (
    select batch.id, coalesce(batch.sender, api_key.name, batch.user_id) as who,
    case when extract(year from (batch.received_at at time zone 'UTC')) between 1 and 9999
    then to_char((batch.received_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as at,
    batch.reason as why
    from result_batches batch
    left join api_keys api_key on api_key.id = batch.api_key_id
    and api_key.organization_id = (select organization_id from events where id = batch.event_id)
    where batch.id = any(array(select distinct made_by from sorted where left_reason is not null))
    and batch.event_id = (select event_id from target)
  ),
  left_out as materialized (
    select count(*)::int as left_count, count(*) filter (where not ((result).registration_id is not null))::int as left_new,
    coalesce(json_agg(json_build_array(
          ordinal, bib_number, left_reason, (result).status, (result).chip_time_ms, (result).gun_time_ms, who, at
        ) order by ordinal)
      filter (where number <= 1000), '[]') as left_rows
    from (
      select *, row_number() over (order by ordinal) as number from sorted
      where left_reason is not null
    ) sorted
    left join maker on maker.id = made_by
  )
  select left_out.* from target, left_out;
