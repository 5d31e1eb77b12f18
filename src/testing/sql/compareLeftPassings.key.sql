-- +: with decided, impossible, many, others, limits, hasStarts, leaver, pointKms; -: without
  -- compareLeftPassings.key
  with target as materialized (
    select id as event_id, (select "id" from api_keys where key_hash = $keyHash
      and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) as api_key_id from events where id = (select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
        and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
          and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))
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
  candidate as materialized (
    select sent.*, stored.*
    from (
      select row.*, registration.id as registration_id, registration.event_id, registration.distance
      from (
        select bib_number, point, time_ms, ordinal
        from unnest($bibs::text[], $pointsOf::int[], $timesMs::bigint[])
        with ordinality as sent (bib_number, point_ordinal, time_ms, ordinal)
        join sent_points using (point_ordinal)
      ) as row join registrations registration
      on registration.event_id = (select event_id from target) and registration.bib_number = row.bib_number) sent
    left join lateral (
      select time_ms as stored_ms, upload_id as stored_upload_id, received_at as stored_at from passings
      where registration_id = sent.registration_id and event_id = sent.event_id and point = sent.point
    ) stored on true
    where stored_ms is distinct from sent.time_ms
  ),
  judged as materialized (
    select candidate.*,
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
-   null::text as reason,
    stored_ms is not null as is_change,
+   coalesce(deleted_by, taken_back_by, stored_upload_id) as made_by
-   coalesce(stored_upload_id) as made_by
    from candidate
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
  ),
  sorted as materialized (
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
-   select judged.*, reason as left_reason
    from judged
  ),
  -- The author of the stored result, or of its removal.
  maker as materialized (
    select batch.id, coalesce(batch.sender, api_key.name, batch.user_id) as who,
    case when extract(year from (batch.received_at at time zone 'UTC')) between 1 and 9999
    then to_char((batch.received_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as at,
    null::text as why
    from passing_uploads batch
    left join api_keys api_key on api_key.id = batch.api_key_id
    and api_key.organization_id = (select organization_id from events where id = batch.event_id)
    where batch.id = any(array(select distinct made_by from sorted where left_reason is not null))
    and batch.event_id = (select event_id from target)
  ),
  left_out as materialized (
    select count(*)::int as left_count, count(*) filter (where not (stored_ms is not null))::int as left_new,
    coalesce(json_agg(json_build_array(
          ordinal, bib_number, left_reason, stored_ms, who, at
        ) order by ordinal)
      filter (where number <= 1000), '[]') as left_rows
    from (
      select *, row_number() over (order by ordinal) as number from sorted
      where left_reason is not null
    ) sorted
    left join maker on maker.id = made_by
  )
  select left_out.* from target, left_out;
