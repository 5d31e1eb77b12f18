-- exportNamedResults
with piece as (
  select number, json_agg(registration_id)::text as registration_id, json_agg(bib_number)::text as bib_number, json_agg(gender)::text as gender, json_agg(category)::text as category, json_agg(distance)::text as distance, json_agg(status)::text as status, json_agg(chip_time_ms)::text as chip_time_ms, json_agg(gun_time_ms)::text as gun_time_ms, json_agg(splits)::text as splits, json_agg(updated_at)::text as updated_at, json_agg(finish_time_ms)::text as finish_time_ms, json_agg(given_names)::text as given_names, json_agg(surnames)::text as surnames, json_agg(position_overall)::text as position_overall, json_agg(position_gender)::text as position_gender, json_agg(position_category)::text as position_category, json_agg(position_distance)::text as position_distance, json_agg(position_distance_gender)::text as position_distance_gender, json_agg(position_distance_category)::text as position_distance_category, json_agg(rank_by)::text as rank_by, json_agg(rank_ms)::text as rank_ms, string_agg(hash, '') as hashes
  from (
    select *, sha256(record_send(listed)) as hash, row_number() over listing as ordinal,
    (sum((5243 + pg_column_size(splits))) over (listing rows unbounded preceding) - (5243 + pg_column_size(splits)))
    / 1048576 as number
    from (
      with event as materialized ((select id from events where id = $eventId and organization_id = (
            select organization_id from organization_members where user_id = $userId
            and organization_id = $organizationId and role in ('owner', 'admin')
      )))
      select finish_time_ms, given_names, surnames, registration_id, bib_number, gender, category, distance, status,
      chip_time_ms, gun_time_ms, coalesce(of_points, '{}') || splits as splits,
      case when extract(year from (updated_at at time zone 'UTC')) between 1 and 9999
      then to_char((updated_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as updated_at, rank_by,
      case when rank_by in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end as rank_ms, distance_place, case when finish_time_ms is not null then (rank() over (order by finish_time_ms))::int end as "position_overall", case when finish_time_ms is not null then (case when gender is not null then rank() over (partition by gender order by finish_time_ms) end)::int end as "position_gender", case when finish_time_ms is not null then (case when category is not null then rank() over (partition by category order by finish_time_ms) end)::int end as "position_category", case when finish_time_ms is not null then (rank() over (partition by distance order by case when rank_by in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end))::int end as "position_distance", case when finish_time_ms is not null then (case when gender is not null then rank() over (partition by distance, gender order by case when rank_by in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end)::int end as "position_distance_gender", case when finish_time_ms is not null then (case when category is not null then rank() over (partition by distance, gender, category order by case when rank_by in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end)::int end as "position_distance_category"
      from (select *, coalesce((
            select "ranking_rule" from event_settings where event_settings.event_id = (select id from event)
          ), 'chip') as rank_by from results where event_id = (select id from event)) result
      join (
        select id as registration_id, given_names, surnames, bib_number, gender, category, distance
        from registrations where event_id = (select id from event)
      ) registration using (registration_id)
      join (
        select name, row_number() over (order by regexp_replace(
            regexp_replace(name, '([0-9]+)', '00000000000000000000\1', 'g'), '0*([0-9]{20})', '\1', 'g'), name) as distance_place
        from (select distinct coalesce(distance, '') as name from registrations where event_id = (select id from event)) known
      ) distances on distances.name = coalesce(distance, '')
      left join (
        select registration_id, jsonb_object_agg(point, time_ms) as of_points from passings
        where event_id = (select id from event) group by registration_id
      ) passing using (registration_id)) listed
    window listing as (order by distance_place, rank_ms, array_position('{FINISHED,DNF,DSQ,DNS}', status), char_length(bib_number), bib_number collate "C", registration_id)
    order by number, ordinal
  ) sorted
  group by number
)
select registration_id, bib_number, gender, category, distance, status, chip_time_ms, gun_time_ms, splits, updated_at, finish_time_ms, given_names, surnames, position_overall, position_gender, position_category, position_distance, position_distance_gender, position_distance_category, rank_by, rank_ms,
(select encode(sha256(string_agg(hashes, '' order by number)), 'hex') from piece) as digest
from piece order by number;
