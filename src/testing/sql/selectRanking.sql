-- selectRanking
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
    ), false) and true
),
fitting as materialized (
  select id from event where (
    select count(*) from (
      select from registrations where event_id = event.id limit 100001
    ) as registration
  ) <= 100000
),
grouped as materialized (
  select coalesce(left(distance, 200), '') as distance, coalesce(left(gender, 200), '') as gender,
  coalesce(left(category, 200), '') as category, result.status,
  result.status is not null or registration.status = 'PAID' as is_entered, string_agg(encode(uuid_send(registration.id), 'hex'), '') as ids,
  array_agg(case when length(bib_number) <= 40 then bib_number end) as bibs,
  array_agg(finish_time_ms) as finish_ms,
  array_agg(chip_time_ms) as chip_ms,
  array_agg(gun_time_ms) as gun_ms,
  array_agg((extract(epoch from first_finished_at) * 1000)::float8::bigint) as arrived_ms,
  max((extract(epoch from updated_at) * 1000)::float8::bigint) as changed_ms
  from registrations as registration
  left join (
    select * from results where event_id = (select id from fitting)
  ) as result on registration_id = registration.id
  where registration.event_id = (select id from fitting)
  and (result.status is not null or registration.status <> 'CANCELLED')
  group by 1, 2, 3, 4, 5),
present as materialized (
  with event as (select id from fitting) select * from (
    with known as materialized (
      select content, counts, since::text::bigint as since, changes from known_results
      where event_id = (select id from event) and xmin = written_by::xid
    ),
    counted as materialized (
      select array_agg(rows order by ordinal) as counts, sum(fresh) as fresh
      from (
        select 0 as ordinal, count(*)::int as rows,
        count(*) filter (where (("results".xmin::text::bigint - (select since from known)) & 4294967295) < (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint) - (select since from known)) as fresh
        from "results" where event_id = (select id from event) union all
        select 1 as ordinal, count(*)::int as rows,
        count(*) filter (where (("registrations".xmin::text::bigint - (select since from known)) & 4294967295) < (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint) - (select since from known)) as fresh
        from "registrations" where event_id = (select id from event) union all
        select 2 as ordinal, count(*)::int as rows,
        count(*) filter (where (("passings".xmin::text::bigint - (select since from known)) & 4294967295) < (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint) - (select since from known)) as fresh
        from "passings" where event_id = (select id from event)) read
    ),
    kept as materialized (
      select content from known join counted using (counts) where fresh = 0
    ),
    computed as materialized (
      select (select encode(sha256(string_agg(sha256(record_send(listed)), '' order by finish_time_ms, array_position('{FINISHED,DNF,DSQ,DNS}', status), char_length(bib_number), bib_number collate "C", distance collate "C", gender collate "C", category collate "C", chip_time_ms, gun_time_ms, splits)), 'hex') from (
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
          ) passing using (registration_id)) listed) as content where not exists (select from kept)
    ),
    found as materialized (
      select content, null::json as unkept from kept
      union all
      select content,
      case when content is not null
      then json_build_object('content', content, 'counts', counts, 'since', pg_snapshot_xmin(pg_current_snapshot())) end
      from computed cross join counted
    ),
    compared as materialized (
      select content, unkept, (select changes from known where known.content = found.content) as changes
      from found
    )
    select content, coalesce((
        select "ranking_rule" from event_settings where event_settings.event_id = (select id from event)
      ), 'chip') as rank_by, changes,
    json_build_object('unkept', unkept, 'uncompared', (
        select json_build_object('version', version, 'digest', digest, 'rows', rows, 'organization_id', (
            select organization_id from events where id = official_results.event_id
        ))
        from official_results
        where event_id = (select id from event) and version = (
          select max(version) from official_results made where made.event_id = official_results.event_id
        ) and content <> compared.content
        and digest is distinct from compared.changes ->> 'digest'
    )) as beside
    from compared
    where exists (select from official_results where event_id = (select id from event))) results_of_event),
written as materialized (
  select coalesce((select sum(cardinality(bibs)) from grouped), 0)::int as runners, json_build_object(
    'event', event, 'official', (
      select json_build_object(
        'version', version, 'made_at', case when extract(year from (made_at at time zone 'UTC')) between 1 and 9999
        then to_char((made_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end, 'state',
        case when official_results.content = present.content
        and official_results.rank_by = present.rank_by
        then 'official' else 'changed_since' end,
        'changes',
        case when not (version = (
            select max(version) from official_results made where made.event_id = official_results.event_id
        )) or
        case when official_results.content = present.content
        and official_results.rank_by = present.rank_by
        then 'official' else 'changed_since' end = 'official' then null
        when official_results.content = present.content then '{"total": 0, "first": []}'::json
        when digest = present.changes ->> 'digest' then (present.changes - 'digest')::json end)
      from official_results cross join present where event_id = (select id from fitting)
      order by version desc limit 1
    ),
    'groups', coalesce((select json_agg(grouped) from grouped), '[]'))::text as document from event
)
select runners,
case when exists (select from fitting) and octet_length(document) <= 8388608
then document end as document,
(select beside from present) as beside
from written;
