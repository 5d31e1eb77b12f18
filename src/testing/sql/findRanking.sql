-- +: with rule; -: without
  -- findRanking
  with event as materialized (
    select id, coalesce((
        select "ranking_rule" from event_settings where event_settings.event_id = events.id
      ), 'chip') as rank_by from events where id = (select id from events where id = $eventId and organization_id = (
        select organization_id from organization_members where user_id = $userId
        and organization_id = $organizationId and role in ('owner', 'admin')
    ))
  ),
+ placed as materialized (
+   select registration_id, gender, category, distance, rank() over (partition by distance order by case when event.rank_by in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) as "position_distance_before", rank() over (partition by distance order by case when $rule::text in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) as "position_distance_after", case when gender is not null then rank() over (partition by distance, gender order by case when event.rank_by in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end as "position_distance_gender_before", case when gender is not null then rank() over (partition by distance, gender order by case when $rule::text in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end as "position_distance_gender_after", case when category is not null then rank() over (partition by distance, gender, category order by case when event.rank_by in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end as "position_distance_category_before", case when category is not null then rank() over (partition by distance, gender, category order by case when $rule::text in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end as "position_distance_category_after"
+   from event
+   join (select * from results where event_id = (select id from event)) results on true
+   join (
+     select id as registration_id, gender, category, distance from registrations where event_id = (select id from event)
+   ) registrations using (registration_id)
+   where finish_time_ms is not null)
+ select rank_by, counted.*, (
+   select count(*)::int from placed where "position_distance_before" <> "position_distance_after" or "position_distance_gender_before" <> "position_distance_gender_after" or "position_distance_category_before" <> "position_distance_category_after"
+ ) as runners, coalesce((
+     select json_agg(podium order by regexp_replace(
+         regexp_replace(distance, '([0-9]+)', '00000000000000000000\1', 'g'), '0*([0-9]{20})', '\1', 'g') nulls first, distance,
+       gender nulls first, category nulls first)
+     from (
+       select "distance", null::text as "gender", null::text as "category", to_json((array_agg(
+             json_build_object('bib_number', bib_number, 'given_names', given_names, 'surnames', surnames,
+               'before', "position_distance_before", 'after', "position_distance_after")
+             order by "position_distance_after", "position_distance_before", registration_id
+         ))[1:6]) as runners
+       from placed cross join lateral (
+         select bib_number, given_names, surnames from registrations where id = registration_id offset 0
+       ) runner
+       where "position_distance_before" <> "position_distance_after" and 3 >= least("position_distance_before", "position_distance_after")
+       group by "distance" union all
+       select "distance", "gender", null::text as "category", to_json((array_agg(
+             json_build_object('bib_number', bib_number, 'given_names', given_names, 'surnames', surnames,
+               'before', "position_distance_gender_before", 'after', "position_distance_gender_after")
+             order by "position_distance_gender_after", "position_distance_gender_before", registration_id
+         ))[1:6]) as runners
+       from placed cross join lateral (
+         select bib_number, given_names, surnames from registrations where id = registration_id offset 0
+       ) runner
+       where "position_distance_gender_before" <> "position_distance_gender_after" and 3 >= least("position_distance_gender_before", "position_distance_gender_after")
+       group by "distance", "gender" union all
+       select "distance", "gender", "category", to_json((array_agg(
+             json_build_object('bib_number', bib_number, 'given_names', given_names, 'surnames', surnames,
+               'before', "position_distance_category_before", 'after', "position_distance_category_after")
+             order by "position_distance_category_after", "position_distance_category_before", registration_id
+         ))[1:6]) as runners
+       from placed cross join lateral (
+         select bib_number, given_names, surnames from registrations where id = registration_id offset 0
+       ) runner
+       where "position_distance_category_before" <> "position_distance_category_after" and 3 >= least("position_distance_category_before", "position_distance_category_after")
+       group by "distance", "gender", "category") podium
+   ), '[]') as podiums
- placed as materialized (select)
- select rank_by, counted.*, 0 as runners, '[]'::json as podiums
  from event cross join lateral (
    select count(*) filter (where chip_time_ms is null)::int as finishers_without_chip_time,
    count(*) filter (where gun_time_ms is null)::int as finishers_without_gun_time
    from results where event_id = (select id from event) and finish_time_ms is not null
  ) counted;
