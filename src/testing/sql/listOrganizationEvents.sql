-- listOrganizationEvents
with owner as materialized (select),
page as (select
  id, name, city, is_active,
  case when extract(year from (event_date at time zone 'UTC')) between 1 and 9999
  then to_char((event_date at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as event_date, case when extract(year from (registration_opens_at at time zone 'UTC')) between 1 and 9999
  then to_char((registration_opens_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as registration_opens_at, case when extract(year from (registration_closes_at at time zone 'UTC')) between 1 and 9999
  then to_char((registration_closes_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as registration_closes_at, time_zone,
  (select case when extract(year from (min(starts_at) at time zone 'UTC')) between 1 and 9999
    then to_char((min(starts_at) at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end from event_starts where event_id = events.id) as first_start_at,
  coalesce((
      select "board_enabled" from event_settings where event_settings.event_id = events.id
    ), false) as board_enabled,
  coalesce((
      select "board_names" from event_settings where event_settings.event_id = events.id
    ), 'none') as board_names, left(coalesce((
        select "board_code" from event_settings where event_settings.event_id = events.id
      ), null), 4) || '-' || right(coalesce((
        select "board_code" from event_settings where event_settings.event_id = events.id
      ), null), 4) as board_code,
  (
    select count(*)::int from registrations where event_id = events.id and status = 'PAID'
  ) as paid_inscriptions,
  (select count(*)::int from results where event_id = events.id) as total_results,
  coalesce((
      select "ranking_rule" from event_settings where event_settings.event_id = events.id
    ), 'chip') as ranking_rule, coalesce((
      select "prizes" from event_settings where event_settings.event_id = events.id
    ), 'all') as prizes,
  (
    select json_build_object('source', source, 'user_id', user_id, 'file_name', file_name,
      'total_processed', total_processed, 'received_at', case when extract(year from (received_at at time zone 'UTC')) between 1 and 9999
      then to_char((received_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end, 'runners', coalesce((
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
        ), '[]'),
      'is_swap', result_batches.swapped_registrations is not null)
    from result_batches where event_id = events.id
    order by result_batches.effect_order desc limit 1
  ) as latest_batch,
  (
    select case when extract(year from (changed_at at time zone 'UTC')) between 1 and 9999
    then to_char((changed_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end from event_changes where event_id = events.id
    order by event_changes.id desc limit 1
  ) as latest_change_at from (
    select * from events where organization_id = (
      select organization_id from organization_members where user_id = $userId
      and organization_id = $organizationId and role in ('owner', 'admin')
    )
    order by events.event_date desc, id limit $limit offset $offset) events order by events.event_date desc, id)
select (select count(*)::int from events where organization_id = (
    select organization_id from organization_members where user_id = $userId
    and organization_id = $organizationId and role in ('owner', 'admin')
)) as total, coalesce((select json_agg(page) from page), '[]') as rows
from owner;
