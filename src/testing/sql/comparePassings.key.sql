-- comparePassings.key
with target as materialized (
  select id as event_id, event_date from events where id = (select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
      and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
        and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))
),
input as materialized (select * from (
    select bib_number, point, time_ms, ordinal
    from unnest($bibs::text[], $pointsOf::int[], $timesMs::bigint[])
    with ordinality as sent (bib_number, point_ordinal, time_ms, ordinal)
    join (values (1, $point::text)) known (point_ordinal, point) using (point_ordinal)
  ) as row),
found as materialized (
  select ordinal::int as ordinal, registration.status = 'CANCELLED' as is_cancelled,
  stored.registration_id is null as is_new, stored.time_ms <> input.time_ms as is_other_time,
  false as is_other_splits, false as loses_split, false as loses_gun_time, false as is_reinstated,
  coalesce(outcome.status in ('DNS'), false) as is_dns_with_passing,
  (
    exists (select from event_starts where event_id = (select event_id from target)) and stored.upload_id is not null and stored.time_ms <> input.time_ms and exists (
      select from (
        select replaced_by, time_ms from replaced_passings
        where replaced_passings.registration_id = stored.registration_id
        and replaced_passings.point = stored.point
        order by id desc limit 1
      ) latest
      where replaced_by = stored.upload_id and latest.time_ms = input.time_ms
      and exists (select from passing_uploads where id = replaced_by and source = 'shift')
    )
  ) as is_old_gun
  from input
  join registrations registration
  on registration.event_id = (select event_id from target)
  and registration.bib_number = input.bib_number
  left join passings stored on stored.registration_id = registration.id
  and stored.point = coalesce(coalesce(
      (
        select point from passings where event_id = (select event_id from target) and point = $point::text order by time_ms limit 1
      ),
      (select point from (select point, lower(normalize(regexp_replace(regexp_replace(
                  point, '[\u00ad\u180e\u200b\u2060-\u2064\ufeff]', '', 'g'),
                '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'))) as folded from (
            with recursive named as (
              select min(point) as point from passings where event_id = (select event_id from target)
              union all
              select (select min(point) from passings where event_id = (select event_id from target) and point > named.point)
              from named where point is not null
            )
            select point from named where point is not null) known) known where folded = lower(normalize(regexp_replace(regexp_replace(
                $point::text, '[\u00ad\u180e\u200b\u2060-\u2064\ufeff]', '', 'g'),
              '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'))) order by point limit 1)
    ), $point::text)
  left join results outcome on outcome.registration_id = registration.id
  and outcome.event_id = registration.event_id),
-- How many rows are known, new and different.
counted as (
  select count(*)::int as "knownBibs",
  count(*) filter (where is_new)::int as new,
  count(*) filter (where is_other_time or is_other_splits)::int as changed,
  count(*) filter (where is_other_time)::int as "changedResults"
  from found
)
select to_char(coalesce((
      select starts_at from event_starts where event_starts.event_id = target.event_id
      order by abs(extract(epoch from starts_at - now())) limit 1
    ), event_date) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "eventDate", to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as now,
counted.*,
(
  select count(*)::int from passings
  where event_id = target.event_id and passings.point = coalesce(coalesce(
      (
        select point from passings where event_id = target.event_id and point = $point::text order by time_ms limit 1
      ),
      (select point from (select point, lower(normalize(regexp_replace(regexp_replace(
                  point, '[\u00ad\u180e\u200b\u2060-\u2064\ufeff]', '', 'g'),
                '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'))) as folded from (
            with recursive named as (
              select min(point) as point from passings where event_id = target.event_id
              union all
              select (select min(point) from passings where event_id = target.event_id and point > named.point)
              from named where point is not null
            )
            select point from named where point is not null) known) known where folded = lower(normalize(regexp_replace(regexp_replace(
                $point::text, '[\u00ad\u180e\u200b\u2060-\u2064\ufeff]', '', 'g'),
              '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'))) order by point limit 1)
    ), $point::text)) as "storedResults",
(null::int) as "latestBatchRows",
array(
  select ordinal::int from input except select ordinal from found order by ordinal
  limit 20
) as missing,
json_build_object(
  'count', (select count(*) from found where is_cancelled),
  'ordinals', array(
    select ordinal from found where is_cancelled order by ordinal limit 20
  )
) as cancelled,
json_build_object(
  'count', (select count(*) from found where is_reinstated),
  'ordinals', array(
    select ordinal from found where is_reinstated order by ordinal limit 20
  )
) as reinstated,
json_build_object(
  'count', (select count(*) from found where loses_split),
  'ordinals', array(
    select ordinal from found where loses_split order by ordinal limit 20
  )
) as "splitsRemoved",
json_build_object(
  'count', (select count(*) from found where loses_gun_time),
  'ordinals', array(
    select ordinal from found where loses_gun_time order by ordinal limit 20
  )
) as "gunTimesRemoved",
json_build_object(
  'count', (select count(*) from found where is_dns_with_passing),
  'ordinals', array(
    select ordinal from found where is_dns_with_passing order by ordinal limit 20
  )
) as "dnsWithPassing",
json_build_object(
  'count', (select count(*) from found where is_old_gun),
  'ordinals', array(
    select ordinal from found where is_old_gun order by ordinal limit 20
  )
) as "oldGun",
'[]'::json as distances,
null::json as ranking,
(select '[]'::json) as changes
from target, counted;
