import { sql } from 'drizzle-orm';
import type { Caller } from '../caller/caller.ts';
import { registrations, resultBatches, results } from '../db/schema.ts';
import { ownEventId } from '../events/queries.ts';
import { arrayOf, type Batch, quoted } from './batch.ts';

export type BatchSource = (typeof resultBatches.source.enumValues)[number];

/** What became of a batch's loadable rows. */
export type Stored = {
  uploaded: number;
  updated: number;
  /** Places in `loadable`, from 1 on, whose bib has no registration. */
  missing: number[];
};

/**
 * Writes a batch in one statement: rows new and replaced, and the batch with its counts. Answers one
 * `Stored`, or none when the event is not the caller's; then nothing is written.
 *
 * Rows are locked in the order of their registrations, so that uploads of the same bibs wait for one
 * another and never in a circle. Each column travels as one array, which Postgres reads fastest; a
 * row's splits are put together there, from its times and a form that holds their names.
 */
export function storeBatch(caller: Caller, eventId: string, batch: Batch, source: BatchSource) {
  const { bibs, statuses, chipTimesMs, gunTimesMs, splitsOf, splitTimesMs, splitNames } =
    batch.loadable;
  return caller.db.execute<Stored>(sql`
    with event as materialized (${ownEventId(caller, eventId)}),
    input as (
      select row.*, registration.id as registration_id
      from unnest(
        ${bibs}::text[], ${statuses}::text[], ${chipTimesMs}::bigint[], ${gunTimesMs}::bigint[],
        ${arrayOf(splitsOf)}::int[], ${splitTimesMs}::text[]
      ) with ordinality
        as row (bib_number, status, chip_time_ms, gun_time_ms, splits_of, split_times_ms, place)
      left join ${registrations} registration
        on registration.event_id = (select id from event)
        and registration.bib_number = row.bib_number
    ),
    stored as (
      insert into ${results}
        (registration_id, event_id, batch_id, status, chip_time_ms, gun_time_ms, splits)
      select registration_id, (select id from event), ${batch.id}::uuid, status, chip_time_ms,
        gun_time_ms,
        case when split_times_ms is null then '{}' else format(
          (${arrayOf(splitNames, formOf)}::text[])[splits_of],
          variadic string_to_array(split_times_ms, '|')
        ) end::jsonb
      from input
      where registration_id is not null
      order by registration_id
      on conflict (registration_id) do update set
        batch_id = excluded.batch_id,
        status = excluded.status,
        chip_time_ms = excluded.chip_time_ms,
        gun_time_ms = excluded.gun_time_ms,
        splits = excluded.splits,
        updated_at = now()
      returning (xmax = 0) as is_new
    ),
    counted as (
      select
        (select count(*) from stored where is_new)::int as uploaded,
        (select count(*) from stored where not is_new)::int as updated,
        array(
          select place::int from input where registration_id is null order by place
        ) as missing
    ),
    recorded as (
      insert into ${resultBatches} (
        id, event_id, api_key_id, source,
        total_processed, uploaded, updated, not_found, errors, duplicates
      )
      select ${batch.id}::uuid, event.id, ${caller.apiKeyId}, ${source},
        ${batch.total}::int, uploaded, updated, cardinality(missing),
        ${batch.errors}::int, ${batch.duplicates}::int
      from event, counted
      returning id
    )
    select uploaded, updated, missing from counted, recorded`);
}

/** The object of splits with these names, with `%s` where a time belongs. */
const formOf = (names: readonly string[]): string =>
  quoted(`{${names.map((name) => `${JSON.stringify(name).replaceAll('%', '%%')}:%s`).join()}}`);
