-- findExportedEvent
with event as materialized ((select id from events where id = $eventId and organization_id = (
      select organization_id from organization_members where user_id = $userId
      and organization_id = $organizationId and role in ('owner', 'admin')
))), present as materialized (
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
  where exists (select from official_results where event_id = (select id from event)))
select name, coalesce((
    select
    case when official_results.content = present.content
    and official_results.rank_by = present.rank_by
    then 'official' else 'changed_since' end from official_results cross join present
    where event_id = (select id from event) order by version desc limit 1
  ), 'provisional') as state, (select beside from present) as beside,
coalesce((
    select "ranking_rule" from event_settings where event_settings.event_id = (select id from event)
  ), 'chip') as rank_by, coalesce((
    select json_agg(split order by at_ms, split) from (
      select split, avg(time_ms) as at_ms from (
        select key as split, value::bigint as time_ms from results, jsonb_each_text(splits)
        where event_id = (select id from event)
        union all
        select point, time_ms from passings where event_id = (select id from event)
      ) time
      group by split
    ) splits
  ), '[]') as splits
from events join event using (id);
