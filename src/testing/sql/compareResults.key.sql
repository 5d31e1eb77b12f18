-- compareResults.key
with target as materialized (
  select id as event_id, event_date from events where id = (select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
      and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
        and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))
),
input as materialized (select * from unnest(
    $bibs::text[], $statuses::text[],
    $chipTimesMs::bigint[], $gunTimesMs::bigint[],
    $splitsOf::int[], $splitTimesMs::text[]
  ) with ordinality
  as row (bib_number, status, chip_time_ms, gun_time_ms, splits_of, split_times_ms, ordinal)),
found as materialized (
  select ordinal::int as ordinal, input.status, registration.distance,
  registration.status = 'CANCELLED' as is_cancelled,
  input.chip_time_ms, input.gun_time_ms,
  stored.registration_id is null as is_new,
  not stored.status in ('FINISHED') and input.status in ('FINISHED') as is_reinstated,
  stored.registration_id is not null and (
    stored.status <> input.status
    or stored.chip_time_ms is distinct from input.chip_time_ms
    or stored.gun_time_ms is distinct from input.gun_time_ms
  ) as is_other_time,
  case when stored.registration_id is not null then stored.splits <>
  case when split_times_ms is null then '{}' else format(
    ($splitForms::text[])[splits_of], variadic string_to_array(split_times_ms, '|')
  ) end::jsonb end
  as is_other_splits,
  stored.splits <> '{}' and exists (
    select from jsonb_object_keys(stored.splits) split where not
    case when split_times_ms is null then '{}' else format(
      ($splitForms::text[])[splits_of], variadic string_to_array(split_times_ms, '|')
    ) end::jsonb ? split
  ) as loses_split,
  stored.gun_time_ms is not null and input.gun_time_ms is null and input.chip_time_ms is not null
  as loses_gun_time,
  input.status in ('DNS') and exists (select from passings where passings.registration_id = registration.id) as is_dns_with_passing,
  (
    exists (select from event_starts where event_id = (select event_id from target)) and (stored).registration_id is not null and exists (
      select from (
        select replaced_by, status, chip_time_ms, gun_time_ms from replaced_results
        where replaced_results.registration_id = (stored).registration_id order by id desc limit 1
      ) latest
      where replaced_by = coalesce((stored).restored_by, (stored).batch_id)
      and (latest.status, latest.chip_time_ms, latest.gun_time_ms)
      is not distinct from (input.status, input.chip_time_ms, input.gun_time_ms)
      and (latest.status, latest.chip_time_ms, latest.gun_time_ms)
      is distinct from ((stored).status, (stored).chip_time_ms, (stored).gun_time_ms)
      and exists (select from result_batches where id = replaced_by and source = 'shift')
    )
  ) as is_old_gun
  from input
  join registrations registration
  on registration.event_id = (select event_id from target)
  and registration.bib_number = input.bib_number
  left join results stored on stored.registration_id = registration.id
  and stored.event_id = registration.event_id),
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
(select count(*)::int from results where event_id = target.event_id) as "storedResults",
(
  select total_processed from result_batches batch where batch.event_id = target.event_id
  order by batch.effect_order desc limit 1) as "latestBatchRows",
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
(
  select coalesce(json_agg(times), '[]') from (
    select distance, count(*)::int as count,
    min(coalesce(chip_time_ms, gun_time_ms)) as "fastestMs",
    max(coalesce(chip_time_ms, gun_time_ms)) as "slowestMs"
    from found where status in ('FINISHED') and distance is not null
    group by distance order by count(*) desc, distance limit 50
  ) times
) as distances,
json_build_object(
  'rankBy', coalesce((
      select "ranking_rule" from event_settings where event_settings.event_id = target.event_id
    ), 'chip'),
  'chip', json_build_object(
    'without', json_build_object(
      'count', (select count(*) from found where status in ('FINISHED') and chip_time_ms is null),
      'ordinals', array(
        select ordinal from found where status in ('FINISHED') and chip_time_ms is null order by ordinal limit 20
      )
    ),
    'isKnown', exists (select from found where status in ('FINISHED') and chip_time_ms is not null)
    or exists (
      select from results
      where event_id = target.event_id and finish_time_ms is not null and chip_time_ms is not null
    )
  ),
  'gun', json_build_object(
    'without', json_build_object(
      'count', (select count(*) from found where status in ('FINISHED') and gun_time_ms is null),
      'ordinals', array(
        select ordinal from found where status in ('FINISHED') and gun_time_ms is null order by ordinal limit 20
      )
    ),
    'isKnown', exists (select from found where status in ('FINISHED') and gun_time_ms is not null)
    or exists (
      select from results
      where event_id = target.event_id and finish_time_ms is not null and gun_time_ms is not null
    )
  )
) as ranking,
(
  select coalesce(json_agg(json_build_object(
        'ordinal', ordinal, 'bib_number', bib_number,
        'before', json_build_object('status', ("result").status, 'chip_time_ms', ("result").chip_time_ms,
          'gun_time_ms', ("result").gun_time_ms, 'splits', ("result").splits), 'after', json_build_object('status', ("sent").status, 'chip_time_ms', ("sent").chip_time_ms,
          'gun_time_ms', ("sent").gun_time_ms, 'splits', ("sent").splits)
      ) order by ordinal), '[]')
  from (
    select first.ordinal, input.bib_number, result, sent
    from (
      select ordinal from found where is_other_time or is_other_splits
      order by ordinal limit 10
    ) first
    join input on input.ordinal = first.ordinal
    join registrations registration
    on registration.event_id = (select event_id from target)
    and registration.bib_number = input.bib_number
    join results result on result.registration_id = registration.id
    cross join lateral (
      select input.status, input.chip_time_ms, input.gun_time_ms,
      case when split_times_ms is null then '{}' else format(
        ($splitForms::text[])[splits_of], variadic string_to_array(split_times_ms, '|')
      ) end::jsonb as splits
    ) sent
  ) change) as changes
from target, counted;
