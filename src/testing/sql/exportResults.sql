-- +: with gender, category, distance, bib, status; -: without
  -- exportResults
  with piece as (
    select number, json_agg(registration_id)::text as registration_id, json_agg(bib_number)::text as bib_number, json_agg(gender)::text as gender, json_agg(category)::text as category, json_agg(distance)::text as distance, json_agg(status)::text as status, json_agg(chip_time_ms)::text as chip_time_ms, json_agg(gun_time_ms)::text as gun_time_ms, json_agg(splits)::text as splits, json_agg(updated_at)::text as updated_at, json_agg(finish_time_ms)::text as finish_time_ms, json_agg(is_listed)::text as is_listed, json_agg(rank_by)::text as rank_by, json_agg(rank_ms)::text as rank_ms, json_agg(position_overall)::text as position_overall, json_agg(position_gender)::text as position_gender, json_agg(position_category)::text as position_category, json_agg(position_distance_category)::text as position_distance_category, string_agg(hash, '') as hashes
    from (
      select *, sha256(record_send(listed)) as hash, row_number() over listing as ordinal,
      (sum((5243 + pg_column_size(splits))) over (listing rows unbounded preceding) - (5243 + pg_column_size(splits)))
      / 1048576 as number
      from (
        with event as materialized ((select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
              and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
                and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))),
        rule as materialized (select coalesce((
              select "ranking_rule" from event_settings where event_settings.event_id = (select id from event)
            ), 'chip') as rank_by)
        select is_listed, finish_time_ms, registration_id, bib_number, gender, category, distance, status, chip_time_ms, gun_time_ms,
        rank_by, case when rank_by in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end as rank_ms, position_overall, position_gender, position_category, position_distance_category,
        case when is_listed then coalesce(of_points, '{}') || splits else '{}' end as splits,
        case when extract(year from (updated_at at time zone 'UTC')) between 1 and 9999
        then to_char((updated_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as updated_at
        from (select * from results where event_id = (select id from event)) result
        join (
          select id as registration_id, bib_number, gender, category, distance
          from registrations where event_id = (select id from event)
        ) registration using (registration_id)
        left join (
          select registration_id, jsonb_object_agg(point, time_ms) as of_points from passings
          where event_id = (select id from event) group by registration_id
        ) passing using (registration_id)
        left join (
          select registration_id, rank() over (order by finish_time_ms)::int as "position_overall", case when gender is not null then rank() over (partition by gender order by finish_time_ms) end::int as "position_gender", case when category is not null then rank() over (partition by category order by finish_time_ms) end::int as "position_category", case when category is not null then rank() over (partition by distance, gender, category order by case when 'chip' in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end::int as "position_distance_category"
          from (select registration_id, finish_time_ms, gun_time_ms from results where event_id = (select id from event)) result
          join (
            select id as registration_id, gender, category, distance from registrations where event_id = (select id from event)
          ) registration using (registration_id)
          where finish_time_ms is not null and (select rank_by from rule) in ('gun', 'gun_overall')
        ) by_chip using (registration_id)
        cross join rule
        cross join lateral (
+         select coalesce(true and "gender" = $gender and "category" = $category and "distance" = $distance and status = $status
+           and bib_number = $bib, false) as is_listed
-         select coalesce(true and true
-           and true, false) as is_listed
        ) match
        where is_listed or finish_time_ms is not null) listed
      window listing as (order by rank_ms, array_position('{FINISHED,DNF,DSQ,DNS}', status), char_length(bib_number), bib_number collate "C", registration_id)
      order by number, ordinal
    ) sorted
    group by number
  )
  select registration_id, bib_number, gender, category, distance, status, chip_time_ms, gun_time_ms, splits, updated_at, finish_time_ms, is_listed, rank_by, rank_ms, position_overall, position_gender, position_category, position_distance_category,
  (select encode(sha256(string_agg(hashes, '' order by number)), 'hex') from piece) as digest
  from piece order by number;
