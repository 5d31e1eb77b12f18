-- +: with bib, isIncomplete, isMissing, patterns, status, distance, gender, category; -: without
  -- listRunners
  with event as materialized ((select id from events where id = $eventId and organization_id = (
        select organization_id from organization_members where user_id = $userId
        and organization_id = $organizationId and role in ('owner', 'admin')
  ))),
  rule as materialized (select coalesce((
        select "ranking_rule" from event_settings where event_settings.event_id = (select id from event)
      ), 'chip') as rank_by),
  matched as materialized (
    select id as registration_id, bib_number, status,
+   case when (select rank_by from rule) in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end as rank_ms
-   case when (select rank_by from rule) in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end as rank_ms
    from (
      select id, bib_number from registrations
+     where event_id = (select id from event) and status = 'PAID' and bib_number = $bib and distance = $distance and gender = $gender and category = $category
-     where event_id = (select id from event) and bib_number is not null and true and true and true and true
    ) runner
+   left join lateral (
+     select finish_time_ms, gun_time_ms, status from results where registration_id = id offset 0
+   ) result on true
+   where status is null
-   left join (
-     select registration_id, finish_time_ms, gun_time_ms, status from results where event_id = (select id from event)
-   ) result on registration_id = id
-   where true
  ),
  listed as materialized (
    select registration_id, bib_number, row_number() over (order by rank_ms, array_position('{FINISHED,DNF,DSQ,DNS}', status), char_length(bib_number), bib_number collate "C", registration_id) as line
    from matched order by line limit $limit offset $offset
  ),
  placed as materialized (
    select * from (
      select registration_id, case when finish_time_ms is not null then (rank() over (partition by distance order by case when (select rank_by from rule) in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end))::int end as "position_distance", case when finish_time_ms is not null then (case when gender is not null then rank() over (partition by distance, gender order by case when (select rank_by from rule) in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end)::int end as "position_distance_gender", case when finish_time_ms is not null then (case when category is not null then rank() over (partition by distance, gender, category order by case when (select rank_by from rule) in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end)::int end as "position_distance_category"
      from (
        select registration_id, finish_time_ms, gun_time_ms from results
        where event_id = (select id from event) and finish_time_ms is not null and (case when (select rank_by from rule) in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end <= (select max(case when (select rank_by from rule) in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) from results where event_id = (select id from event) and registration_id in (select registration_id from listed)) or case when (select rank_by from rule) in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end <= (select max(case when (select rank_by from rule) in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) from results where event_id = (select id from event) and registration_id in (select registration_id from listed)))
      ) result
      join (
        select id as registration_id, gender, category, distance from registrations where event_id = (select id from event)
      ) registration using (registration_id)
    ) placed
    where registration_id in (select registration_id from listed)
  ),
  -- Each runner of the page is looked up: the tables hold all events.
  page as (
    select registration_id as inscription_id, bib_number, runner.*,
    exists (
      select from board_hidden_names where registration_id = listed.registration_id
    ) as name_is_hidden,
    case when ("result").status is not null then json_build_object('status', ("result").status, 'chip_time_ms', ("result").chip_time_ms,
      'gun_time_ms', ("result").gun_time_ms, 'splits', ("result").splits) end as result,
    coalesce(
      result.restored_by, result.batch_id,
      (
        select replaced_by from replaced_results
        where registration_id = listed.registration_id order by id desc limit 1
      )
    ) as version,
    coalesce((select jsonb_object_agg(point, time_ms) from passings where registration_id = listed.registration_id), '{}') || coalesce(result.splits, '{}') as splits,
    "position_distance", "position_distance_gender", "position_distance_category",
    case when extract(year from (result.updated_at at time zone 'UTC')) between 1 and 9999
    then to_char((result.updated_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as updated_at
    from listed
    cross join lateral (
      select status as inscription_status, given_names, surnames, gender, category, distance
      from registrations
      where id = listed.registration_id offset 0
    ) runner
    left join lateral (
      select batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, updated_at from results
      where registration_id = listed.registration_id offset 0
    ) result on true
    left join placed using (registration_id)
    order by line
  )
  select (select count(*)::int from matched) as total, coalesce((select json_agg(page) from page), '[]') as rows, (
    select coalesce(json_agg(groups order by regexp_replace(
          regexp_replace(distance, '([0-9]+)', '00000000000000000000\1', 'g'), '0*([0-9]{20})', '\1', 'g'), gender, category nulls first), '[]')
    from (
      select distance, gender, category from registrations
      where event_id = (select id from event) and status = 'PAID' and distance <> '' and gender <> ''
      group by grouping sets ((distance, gender), (distance, gender, category))
      having grouping(category) = 1 or category is not null
      order by grouping(category) desc, distance, gender, category
      limit 500
    ) groups
  ) as groups from event;
