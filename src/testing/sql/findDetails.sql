-- findDetails
with runner as materialized (
  select registration.id as registration_id, bib_number, event_id, distance
  from (
    select id, bib_number, event_id, distance from registrations where id = any($keys::uuid[]) offset 0
  ) as registration
  where coalesce((
      select "board_enabled" from event_settings where event_settings.event_id = registration.event_id
    ), false)
),
-- The stored result and the replaced results. The stored result has no ordinal: the stored result comes last.
content as materialized (
  select runner.registration_id, bib_number, result.*,
  lead(made_by) over (partition by runner.registration_id order by step) as next_made_by
  from runner runner cross join lateral (
    (
      select id as step, coalesce(restored_by, batch_id) as made_by, replaced_by, batch_id, status, chip_time_ms, gun_time_ms, splits, first_finished_at, decided_by_person, updated_at
      from replaced_results where registration_id = runner.registration_id
      order by id desc limit 10
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
)
select encode(uuid_send(runner.registration_id), 'hex') as key, json_build_object(
  'splits', (
    select coalesce(json_agg(json_build_object(
          'name', left(name, 100), 'time_ms', time_ms, 'is_passing', is_passing,
          'passing_ms', passing_ms,
          -- The course document holds the counts of earlier spans. So a place reads the passings of a minute.
          'before_in_span', case when passing_ms is not null then (
            select count(*)
            from passings as earlier
            where earlier.event_id = runner.event_id and earlier.point = split.name
            and earlier.time_ms >= passing_ms - passing_ms % 60000
            and earlier.time_ms < passing_ms
            and not exists (
              select from results
              where registration_id = earlier.registration_id and status in ('DNS')
            )
            and (
              select coalesce(left(distance, 200), '') from registrations where id = earlier.registration_id
            ) = coalesce(left(runner.distance, 200), '')
          ) end
        ) order by time_ms, name), '[]')
    from (
      select coalesce(sent.name, point) as name, coalesce(sent.time_ms, passing.time_ms) as time_ms,
      sent.name is null as is_passing, passing.time_ms as passing_ms
      from (
        select key as name, value::bigint as time_ms from jsonb_each(result.splits)
      ) as sent
      full join (
        select point, time_ms from passings where registration_id = runner.registration_id
      ) as passing on point = sent.name
    ) as split
  ),
  'versions', (
    select coalesce(json_agg(json_build_object(
          'number', number, 'made_ms', (extract(epoch from made_at) * 1000)::float8::bigint, 'is_revert', is_revert,
          'reason', reason, 'status', status, 'chip_time_ms', chip_time_ms, 'gun_time_ms', gun_time_ms
        ) order by number), '[]')
    from (
      select number, coalesce(result_batches.received_at, version.updated_at) as made_at,
      coalesce(result_batches.source = 'revert', false) as is_revert,
      case when ((result_batches.is_by_hand or result_batches.source in ('revert', 'delete')
          or (result_batches.source = 'json' and result_batches.user_id is not null)) and result_batches.total_processed <= 2) then reason end as reason, version.status, chip_time_ms, gun_time_ms
      from version
      left join result_batches on result_batches.id = made_by and result_batches.event_id = runner.event_id
      where registration_id = runner.registration_id
      order by number desc limit 10
    ) as told
  )
) as value
from runner
left join lateral (
  select splits from results where registration_id = runner.registration_id offset 0
) as result on true;
