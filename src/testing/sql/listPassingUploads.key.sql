-- +: with sender; -: without
  -- listPassingUploads.key
  with recursive event as materialized ((select id from events where id = $eventId and events.organization_id = (select "organization_id" from api_keys where key_hash = $keyHash
        and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)) and events.id = coalesce((select "event_id" from api_keys where key_hash = $keyHash
          and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes)), events.id))),
  revert as materialized (
    select id, reverts, received_at, effect_order from passing_uploads
    where event_id = (select id from event) and source = 'revert'
  ),
  listed as materialized (
    select * from passing_uploads
+   where event_id = (select id from event) and sender = $sender order by effect_order desc limit $limit offset $offset
-   where event_id = (select id from event) and true order by effect_order desc limit $limit offset $offset
  ),
  -- The latest revert of each upload, the latest revert of this revert, and so on.
  chain as (
    select id as upload_id, id, 0 as length from listed
    union all
    select chain.upload_id, latest.id, length + 1 from chain cross join lateral (
      select id from revert where reverts = chain.id order by effect_order desc limit 1
    ) latest
  ),
  taken_back as (
    select upload_id, (array_agg(id order by length))[2] as revert_id from chain
    group by upload_id having max(length) % 2 = 1
  ),
  page as (
    select batch.id, source, case when extract(year from (batch.received_at at time zone 'UTC')) between 1 and 9999
    then to_char((batch.received_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as received_at,
    coalesce(api_key.name, '') as key_name,
    case when api_key.id is null then '' else coalesce(batch.key_prefix, api_key.key_prefix) end as key_prefix,
    user_id, sender, file_name, deleted_point, total_processed, uploaded, updated, unchanged, removed, not_found,
    errors, duplicates, left_count as left, batch.reverts,
    case when extract(year from (revert.received_at at time zone 'UTC')) between 1 and 9999
    then to_char((revert.received_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as reverted_at, revert.id as reverted_by
    from listed batch
    left join api_keys api_key on api_key.id = batch.api_key_id
    and api_key.organization_id = (select organization_id from events where id = batch.event_id)
    left join taken_back on taken_back.upload_id = batch.id
    left join revert on revert.id = revert_id
    order by batch.effect_order desc
  )
  select (select count(*)::int from passing_uploads
+   where event_id = (select id from event) and sender = $sender) as total, coalesce((select json_agg(page) from page), '[]') as rows from event
-   where event_id = (select id from event) and true) as total, coalesce((select json_agg(page) from page), '[]') as rows from event;
