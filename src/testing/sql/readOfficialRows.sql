-- readOfficialRows
with piece as (
  select number, json_agg(bib_number)::text as bib_number, json_agg(gender)::text as gender, json_agg(category)::text as category, json_agg(distance)::text as distance, json_agg(status)::text as status, json_agg(chip_time_ms)::text as chip_time_ms, json_agg(gun_time_ms)::text as gun_time_ms, json_agg(splits)::text as splits, json_agg(finish_time_ms)::text as finish_time_ms, json_agg(position_distance)::text as position_distance, json_agg(position_distance_gender)::text as position_distance_gender, json_agg(position_distance_category)::text as position_distance_category, string_agg(hash, '') as hashes
  from (
    select *, case when finish_time_ms is not null then (rank() over (partition by distance order by case when coalesce((
            select "ranking_rule" from event_settings where event_settings.event_id = (select id from events where id = $eventId and organization_id = (
                select organization_id from organization_members where user_id = $userId
                and organization_id = $organizationId and role in ('owner', 'admin')
            ))
          ), 'chip') in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end))::int end as "position_distance", case when finish_time_ms is not null then (case when gender is not null then rank() over (partition by distance, gender order by case when coalesce((
            select "ranking_rule" from event_settings where event_settings.event_id = (select id from events where id = $eventId and organization_id = (
                select organization_id from organization_members where user_id = $userId
                and organization_id = $organizationId and role in ('owner', 'admin')
            ))
          ), 'chip') in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end)::int end as "position_distance_gender", case when finish_time_ms is not null then (case when category is not null then rank() over (partition by distance, gender, category order by case when coalesce((
            select "ranking_rule" from event_settings where event_settings.event_id = (select id from events where id = $eventId and organization_id = (
                select organization_id from organization_members where user_id = $userId
                and organization_id = $organizationId and role in ('owner', 'admin')
            ))
          ), 'chip') in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end)::int end as "position_distance_category", sha256(record_send(listed)) as hash, row_number() over listing as ordinal,
    (sum((5243 + pg_column_size(splits))) over (listing rows unbounded preceding) - (5243 + pg_column_size(splits)))
    / 1048576 as number
    from (with event as materialized ((select id from events where id = $eventId and organization_id = (
            select organization_id from organization_members where user_id = $userId
            and organization_id = $organizationId and role in ('owner', 'admin')
      )))
      select bib_number, gender, category, distance, status, chip_time_ms, gun_time_ms, finish_time_ms,
      coalesce(of_points, '{}') || splits as splits
      from (select * from results where event_id = (select id from event)) result
      join (
        select id as registration_id, bib_number, gender, category, distance
        from registrations where event_id = (select id from event)
      ) registration using (registration_id)
      left join (
        select registration_id, jsonb_object_agg(point, time_ms) as of_points from passings
        where event_id = (select id from event) group by registration_id
      ) passing using (registration_id)) listed
    window listing as (order by finish_time_ms, array_position('{FINISHED,DNF,DSQ,DNS}', status), char_length(bib_number), bib_number collate "C", distance collate "C", gender collate "C", category collate "C", chip_time_ms, gun_time_ms, splits)
    order by number, ordinal
  ) sorted
  group by number
)
select bib_number, gender, category, distance, status, chip_time_ms, gun_time_ms, splits, finish_time_ms, position_distance, position_distance_gender, position_distance_category,
(select encode(sha256(string_agg(hashes, '' order by number)), 'hex') from piece) as digest
from piece order by number;
