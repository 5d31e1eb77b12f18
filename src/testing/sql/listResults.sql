-- +: with gender, category, distance, bib, rankedStatus, otherStatus, isTop; -: without
  -- listResults
  with event as materialized ((select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
        and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
          and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))),
  rule as materialized (
    select rank_by, rank_by in ('gun', 'gun_overall') as is_by_gun,
+   rank_by in ('gun') as is_in_gun_order
-   rank_by in ('gun', 'gun_overall') as is_in_gun_order
    from (select coalesce((
          select "ranking_rule" from event_settings where event_settings.event_id = (select id from event)
        ), 'chip') as rank_by from event) ranked
  ),
  -- The matching results.
+ matched as materialized (
+   select registration_id, finish_time_ms, case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end as gun_rank_ms
+   from (
+     select id from registrations
+     where event_id = (select id from event) and bib_number = $bib and true and "gender" = $gender and "category" = $category and "distance" = $distance offset 0
+   ) registration
+   cross join lateral (
+     select * from results where registration_id = id and finish_time_ms is not null offset 0
+   ) result
- matched as not materialized (
-   select registration_id, finish_time_ms, case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end as gun_rank_ms from results where event_id = (select id from event) and true
  ),
  counted as materialized (select count(*)::int as total from matched),
  slice as materialized (
    (
      select finish_time_ms as rank_ms from matched where not (select is_in_gun_order from rule)
      order by finish_time_ms limit $limit offset $offset)
    union all
    (
      select gun_rank_ms as rank_ms from matched where (select is_in_gun_order from rule)
      order by gun_rank_ms limit $limit offset $offset)
  ),
  page_bounds as materialized (
    select min(rank_ms) as first_ms, max(rank_ms) as last_ms,
    count(*) > count(rank_ms) as reaches_unfinished,
    -- Whether all results with the first time stand before the end of the page.
    count(rank_ms) > 0 and (count(rank_ms) < $limit or max(rank_ms) > min(rank_ms)) as ends_first
    from slice
  ),
  near_page as materialized (
    (
      select registration_id, finish_time_ms, gun_rank_ms, finish_time_ms as rank_ms from matched
      where not (select is_in_gun_order from rule) and finish_time_ms between (select first_ms from page_bounds) and (select last_ms from page_bounds))
    union all
    (
      select registration_id, finish_time_ms, gun_rank_ms, gun_rank_ms as rank_ms from matched
      where (select is_in_gun_order from rule) and gun_rank_ms between (select first_ms from page_bounds) and (select last_ms from page_bounds))
    union all
    select registration_id, null, null, null from matched
    where finish_time_ms is null and (select reaches_unfinished from page_bounds)
  ),
  -- How many of these stand before the page.
  skipped as materialized (
    select case
    when ends_first then (select count(*) from near_page where rank_ms = first_ms)
    - (select count(*) from slice where rank_ms = first_ms)
    else $offset::bigint - (
      select count(*) from matched
      where case when (select is_in_gun_order from rule) then gun_rank_ms else finish_time_ms end
      < coalesce((select first_ms from page_bounds), 9223372036854775807)
    ) end as results
    from page_bounds
  ),
  page as materialized (
    select registration_id, bib_number, gender, category, distance, status, chip_time_ms, gun_time_ms, splits,
    case when extract(year from (updated_at at time zone 'UTC')) between 1 and 9999
    then to_char((updated_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as updated_at, near_page.finish_time_ms, near_page.gun_rank_ms
    from near_page
    cross join lateral (
      select status, chip_time_ms, gun_time_ms, updated_at,
      coalesce((select jsonb_object_agg(point, time_ms) from passings where registration_id = near_page.registration_id), '{}') || splits as splits
      from results
      where registration_id = near_page.registration_id offset 0
    ) result
    cross join lateral (
      select bib_number, gender, category, distance from registrations
      where id = near_page.registration_id offset 0
    ) registration
    order by rank_ms, array_position('{FINISHED,DNF,DSQ,DNS}', status), char_length(bib_number), bib_number collate "C", registration_id
    limit $limit offset (select results from skipped)
  ),
  -- The times of the page, each once.
  own as materialized (
    select array_agg(distinct finish_time_ms) as chip_times, max(finish_time_ms) as last_chip_ms,
    array_agg(distinct gun_rank_ms) filter (where is_by_gun) as gun_times,
    max(gun_rank_ms) filter (where is_by_gun) as last_gun_ms,
    case when bool_or(is_by_gun) then 9223372036854775807 else max(finish_time_ms) end as counted_ms
    from page cross join rule where finish_time_ms is not null
  ),
  faster as materialized (
    select case when finish_time_ms < (select chip_times[1] from own) then 0
    else width_bucket(finish_time_ms, (select chip_times from own)) end as chip, case when gun_rank_ms < (select gun_times[1] from own) then 0
    else width_bucket(gun_rank_ms, (select gun_times from own)) end as gun,
+   case when "gender" = $gender then "gender" end as "gender", case when "category" = $category then "category" end as "category", case when "distance" = $distance then "distance" end as "distance", count(*)::int as finishers
-   "gender", "category", "distance", count(*)::int as finishers
    from (
+     select * from
+     (select registration_id, finish_time_ms, case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end as gun_rank_ms from results where event_id = (select id from event) and finish_time_ms >= 0 and finish_time_ms < (select last_chip_ms from own)) result
+     union all
+     select * from
+     (select registration_id, finish_time_ms, case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end as gun_rank_ms from results where event_id = (select id from event) and case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end >= 0 and case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end < (select last_gun_ms from own)
+       and finish_time_ms >= (select last_chip_ms from own)) result
-     select registration_id, finish_time_ms, coalesce(gun_time_ms, finish_time_ms) as gun_rank_ms
-     from results where event_id = (select id from event) and finish_time_ms < (select counted_ms from own)
-     and (finish_time_ms < (select last_chip_ms from own) or coalesce(gun_time_ms, finish_time_ms) < (select last_gun_ms from own))
    ) result
+   cross join lateral (
+     select gender, category, distance from registrations where id = registration_id offset 0
+   ) registration
-   join (
-     select id as registration_id, gender, category, distance from registrations where event_id = (select id from event)
-   ) registration using (registration_id)
    group by 1, 2, 3, 4, 5
  ),
  counts as materialized (
    select is_gun, gender, category, distance, finishers, coalesce(
      case when is_gun then (select gun_times from own)[gun] else (select chip_times from own)[chip] end,
      -1
    ) as time_ms
    from (
      select grouping(gun) = 0 as is_gun, chip, gun, gender, category, distance,
      sum(finishers)::int as finishers
      from faster
      group by grouping sets ((chip, gender, category, distance), (gun, gender, category, distance))
    ) by_time
    where gun is not null or not is_gun
  )
  select total, rank_by, coalesce((select json_agg(page) from page), '[]') as rows, coalesce((
      select json_agg(json_build_array(time_ms, gender, category, distance, finishers) order by time_ms)
      from counts where not is_gun
    ), '[]') as faster_by_chip,
  coalesce((
      select json_agg(json_build_array(time_ms, gender, category, distance, finishers) order by time_ms)
      from counts where is_gun
    ), '[]') as faster_by_gun
  from rule cross join counted;
