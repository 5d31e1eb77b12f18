-- +: with byHand, sender; -: without
  -- listNamedBatches
  with event as materialized ((select id from events where id = $eventId and organization_id = (
        select organization_id from organization_members where user_id = $userId
        and organization_id = $organizationId and role in ('owner', 'admin')
  ))),
  page as (
    select batch.id, source, runners, is_swap, case when extract(year from (batch.received_at at time zone 'UTC')) between 1 and 9999
    then to_char((batch.received_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as received_at,
    coalesce(api_key.name, '') as key_name,
    case when api_key.id is null then '' else coalesce(batch.key_prefix, api_key.key_prefix) end
    as key_prefix,
    user_id, sender, file_name,
    reason, by_hand, total_processed, uploaded, updated,
    unchanged, removed, not_found, coalesce(not_found_bibs, '{}') as not_found_bibs, errors,
    duplicates, left_count as left, start_shift, reverts,
    case when extract(year from (revert.received_at at time zone 'UTC')) between 1 and 9999
    then to_char((revert.received_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as reverted_at, revert.id as reverted_by
    from (
      select *, (result_batches.is_by_hand or result_batches.source in ('revert', 'delete')
        or (result_batches.source = 'json' and result_batches.user_id is not null)) as by_hand , coalesce((
          select json_agg(runner order by char_length(bib_number), bib_number collate "C")
          from (
            select origin.deleted_registration as registration_id
            from result_batches origin
            where origin.id = coalesce(result_batches.reverted_upload, result_batches.id)
            union select registration_id from results
            where batch_id = coalesce(result_batches.reverted_upload, result_batches.id)
            union select registration_id from replaced_results
            where batch_id = coalesce(result_batches.reverted_upload, result_batches.id)
            union select unnest(result_batches.swapped_registrations)
          ) touched
          cross join lateral (
            select bib_number, given_names, surnames from registrations
            where id = touched.registration_id and event_id = result_batches.event_id offset 0
          ) runner
          where ((result_batches.is_by_hand or result_batches.source in ('revert', 'delete')
              or (result_batches.source = 'json' and result_batches.user_id is not null)) and result_batches.total_processed <= 2)
        ), '[]') as runners, result_batches.swapped_registrations is not null as is_swap from result_batches where event_id = (select id from event)
+     and (result_batches.is_by_hand or result_batches.source in ('revert', 'delete')
+       or (result_batches.source = 'json' and result_batches.user_id is not null)) = $byHand
+     and sender = $sender
-     and true
-     and true
      order by result_batches.effect_order desc limit $limit offset $offset
    ) batch
    left join api_keys api_key on api_key.id = batch.api_key_id
    and api_key.organization_id = (select organization_id from events where id = batch.event_id)
    left join lateral (
      select id, received_at, upload_stands from result_batches
      where reverted_upload = coalesce(batch.reverted_upload, batch.id)
      order by result_batches.effect_order desc limit 1
    ) revert on revert.upload_stands <> batch.upload_stands
    order by batch.effect_order desc
  )
  select (select count(*)::int from result_batches where event_id = (select id from event)
+   and (result_batches.is_by_hand or result_batches.source in ('revert', 'delete')
+     or (result_batches.source = 'json' and result_batches.user_id is not null)) = $byHand
+   and sender = $sender) as total,
-   and true
-   and true) as total,
  coalesce((select json_agg(page) from page), '[]') as rows
  from event;
