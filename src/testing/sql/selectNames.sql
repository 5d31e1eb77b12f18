-- selectNames
with event as materialized (
  select id, name, city, event_date, time_zone, coalesce((
      select "board_names" from event_settings where event_settings.event_id = events.id
    ), 'none') as board_names,
  left(coalesce((
        select "board_code" from event_settings where event_settings.event_id = events.id
      ), null), 4) || '-' || right(coalesce((
        select "board_code" from event_settings where event_settings.event_id = events.id
      ), null), 4) as board_code,
  coalesce((
      select "ranking_rule" from event_settings where event_settings.event_id = events.id
    ), 'chip') as rank_by, coalesce((
      select json_agg(json_build_object('name', name, 'distance', distance,
          'bib_from', bib_from, 'bib_to', bib_to,
          'starts_at',
          to_char(
            starts_at at time zone 'UTC' + make_interval(mins => coalesce(utc_offset_minutes, 0)),
            'YYYY-MM-DD"T"HH24:MI:SS.MS'
          )
          || case when utc_offset_minutes is null then 'Z' else
          case when utc_offset_minutes < 0 then '-' else '+' end
          || to_char(make_interval(mins => abs(utc_offset_minutes)), 'HH24:MI') end) order by ordinal) from event_starts where event_id = events.id
    ), '[]') as starts
  from events where id = $eventId and coalesce((
      select "board_enabled" from event_settings where event_settings.event_id = events.id
    ), false) and coalesce((
      select "board_names" from event_settings where event_settings.event_id = events.id
    ), 'none') <> 'none'
),
fitting as materialized (
  select id from event where (
    select count(*) from (
      select from registrations where event_id = event.id limit 100001
    ) as registration
  ) <= 100000
),
grouped as materialized (select count(*) as runners from registrations where event_id = (select id from fitting)),
present as materialized (select null::json as beside),
written as materialized (
  select coalesce((select runners from grouped), 0)::int as runners, coalesce(case when board_names = 'full' then (
      select document from (
        select json_build_object('is_full', true,
          'names', coalesce(json_object_agg(name, json_build_array(off_course, on_course)), '{}'))::text as document
        from (
          select name, coalesce(string_agg(encode(uuid_send(id), 'hex'), '') filter (where not is_on_course), '') as off_course, coalesce(string_agg(encode(uuid_send(id), 'hex'), '') filter (where is_on_course), '') as on_course
          from (
            select id, nullif(btrim(regexp_replace(concat_ws(' ',
                    left(given_names, 100), left(surnames, 100)),
                  E'[\u0001-\u0020\u007f-\u00a0\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]+', ' ', 'g')), '') as name,
            exists (select from passings where registration_id = registration.id)
            and not exists (select from results where registration_id = registration.id) as is_on_course
            from registrations as registration
            where event_id = (select id from fitting)
            and not exists (select from board_hidden_names where registration_id = registration.id)
            and coalesce(left(distance, 200), '') <> all(coalesce((
                  select "board_hidden_distances" from event_settings where event_settings.event_id = (select id from fitting)
                ), '{}'))
          ) as runner
          where name is not null
          group by name
        ) as named
        offset 0
      ) as names
      where octet_length(document) <= 8388608
    ) end, (
      select document from (
        select json_build_object('is_full', false,
          'names', coalesce(json_object_agg(name, json_build_array(off_course, on_course)), '{}'))::text as document
        from (
          select name, coalesce(string_agg(encode(uuid_send(id), 'hex'), '') filter (where not is_on_course), '') as off_course, coalesce(string_agg(encode(uuid_send(id), 'hex'), '') filter (where is_on_course), '') as on_course
          from (
            select id, nullif(concat_ws(' ',
                substring(left(given_names, 100), E'[^\u0001-\u0020\u007f-\u00a0\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]+'), upper(left(substring(left(surnames, 100), E'[^\u0001-\u0020\u007f-\u00a0\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]+'), 1)) || '.'), '') as name,
            exists (select from passings where registration_id = registration.id)
            and not exists (select from results where registration_id = registration.id) as is_on_course
            from registrations as registration
            where event_id = (select id from fitting)
            and not exists (select from board_hidden_names where registration_id = registration.id)
            and coalesce(left(distance, 200), '') <> all(coalesce((
                  select "board_hidden_distances" from event_settings where event_settings.event_id = (select id from fitting)
                ), '{}'))
          ) as runner
          where name is not null
          group by name
        ) as named
        offset 0
      ) as names
      where octet_length(document) <= 8388608
    ),
  '{"is_full": false, "names": {}}')::text as document from event
)
select runners,
case when exists (select from fitting) and octet_length(document) <= 8388608
then document end as document,
(select beside from present) as beside
from written;
