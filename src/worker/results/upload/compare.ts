import { sql } from 'drizzle-orm';
import type { EventFacts } from '../../../timing-files/event-warnings.ts';
import { ROWS_SHOWN } from '../../../timing-files/warning.ts';
import { db } from '../../db/query-builder.ts';
import { events, registrations, resultBatches, results } from '../../db/schema.ts';
import { type Slots, statement } from '../../db/statement.ts';
import { ownEventId } from '../../events/queries.ts';
import type { Batch } from './batch.ts';
import { type RowValues, rowsOf, rowValues, splitsOf } from './store.ts';

/** How a batch compares with what is stored. A place is that of a row in `loadable`, from 1 on. */
export type Compared = {
  event_date: string;
  now: string;
  known: number;
  new: number;
  changed: number;
  changed_times: number;
  stored_results: number;
  latest_batch_rows: number | null;
  /** The first places whose bib has no registration. */
  missing: number[];
  cancelled: { count: number; places: number[] | null };
  reinstated: { count: number; places: number[] | null };
  distances: EventFacts['distances'] | null;
};

/** A distance may be any text, so there may be as many as registrations. */
const DISTANCES_LOOKED_AT = 50;

/**
 * Compares a batch with the event in one statement and writes nothing. Answers one `Compared`, or none
 * if the event is not the caller's.
 */
export const compareBatch = (eventId: string, batch: Batch) =>
  compareRows({ ...rowValues(batch), eventId });

const compareRows = statement((batch: Slots<RowValues & { eventId: string }>) =>
  db.execute<Compared>(sql`
    with target as materialized (
      select id as event_id, event_date from ${events} where id = ${ownEventId(batch.eventId)}
    ),
    input as materialized (select * from ${rowsOf(batch)}),
    found as materialized (
      select place::int as place, input.status, registration.distance,
        registration.status = 'CANCELLED' as is_cancelled,
        coalesce(input.chip_time_ms, input.gun_time_ms) as finish_time_ms,
        stored.registration_id is null as is_new,
        stored.status <> 'FINISHED' and input.status = 'FINISHED' as is_reinstated,
        stored.registration_id is not null and (
          stored.status <> input.status
          or stored.chip_time_ms is distinct from input.chip_time_ms
          or stored.gun_time_ms is distinct from input.gun_time_ms
        ) as is_other_time,
        case when stored.registration_id is not null then stored.splits <> ${splitsOf(batch)} end
          as is_other_splits
      from input
        join ${registrations} registration
          on registration.event_id = (select event_id from target)
          and registration.bib_number = input.bib_number
        left join ${results} stored on stored.registration_id = registration.id
    )
    select
      to_char(event_date at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as event_date,
      to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as now,
      counted.*,
      (select count(*)::int from ${results} where event_id = target.event_id) as stored_results,
      (
        select total_processed from ${resultBatches} batch where batch.event_id = target.event_id
        order by received_at desc limit 1
      ) as latest_batch_rows,
      array(
        select place::int from input except select place from found order by place
        limit ${ROWS_SHOWN}
      ) as missing,
      json_build_object('count', cancelled_count, 'places', (
        select json_agg(place) from (
          select place from found where is_cancelled order by place limit ${ROWS_SHOWN}
        ) first
      )) as cancelled,
      json_build_object('count', reinstated_count, 'places', (
        select json_agg(place) from (
          select place from found where is_reinstated order by place limit ${ROWS_SHOWN}
        ) first
      )) as reinstated,
      (
        select json_agg(by_distance) from (
          select distance, count(*)::int as count,
            min(finish_time_ms) as "fastestMs", max(finish_time_ms) as "slowestMs"
          from found where status = 'FINISHED' and distance is not null
          group by distance order by count(*) desc, distance limit ${DISTANCES_LOOKED_AT}
        ) by_distance
      ) as distances
    from target, (
      select count(*)::int as known,
        count(*) filter (where is_new)::int as new,
        count(*) filter (where is_other_time or is_other_splits)::int as changed,
        count(*) filter (where is_other_time)::int as changed_times,
        count(*) filter (where is_cancelled)::int as cancelled_count,
        count(*) filter (where is_reinstated)::int as reinstated_count
      from found
    ) counted`),
);
