-- listVersions.key
with event as materialized ((select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
      and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
        and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))),
runner as materialized (
  select id as registration_id, bib_number from registrations
  where event_id = (select id from event) and bib_number = $bib
),
-- The stored result and the replaced results. The stored result has no ordinal: the stored result comes last.
content as materialized (
  select runner.registration_id, bib_number, result.*,
  lead(made_by) over (partition by runner.registration_id order by step) as next_made_by
  from runner runner cross join lateral (
    (
      select id as step, coalesce(restored_by, batch_id) as made_by, replaced_by, batch_id, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at
      from replaced_results where registration_id = runner.registration_id
    )
    union all
    select null, coalesce(restored_by, batch_id), null, batch_id, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at
    from results where registration_id = runner.registration_id
  ) result
),
version as materialized (
  select *, row_number() over (partition by registration_id order by step, is_gone) as number,
  count(*) over (partition by registration_id) as versions
  from (
    select registration_id, bib_number, step, false as is_gone, made_by, batch_id, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at from content
    union all
    select registration_id, bib_number, step, true, replaced_by,
    null, null, null, null, null, null, null, null
    from content
    where replaced_by is distinct from next_made_by
  ) made
),
page as (
  select number as version,
  case when ("version").status is not null then json_build_object('status', ("version").status, 'chip_time_ms', ("version").chip_time_ms,
    'gun_time_ms', ("version").gun_time_ms, 'splits', ("version").splits) end as result,
  case when extract(year from (coalesce(batch.received_at, version.updated_at) at time zone 'UTC')) between 1 and 9999
  then to_char((coalesce(batch.received_at, version.updated_at) at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as made_at,
  made_by as batch_id, source, reverts, lead(made_by) over (order by number) as replaced_by,
  api_key.name as key_name, user_id, sender, file_name, reason
  from version
  left join result_batches batch
  on batch.id = made_by and batch.event_id = (select id from event)
  left join api_keys api_key on api_key.id = batch.api_key_id
  and api_key.organization_id = (select organization_id from events where id = batch.event_id)
  order by number limit $limit offset $offset
)
select (select count(*)::int from version) as total, coalesce((select json_agg(page) from page), '[]') as rows from event;
