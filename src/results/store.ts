import { type SQL, sql } from 'drizzle-orm';
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
  return caller.db.execute<Stored>(sql`
    with event as materialized (${ownEventId(caller, eventId)}),
    input as (
      select row.*, registration.id as registration_id, registration.event_id
      from ${rowsOf(batch)}
      left join ${registrations} registration
        on registration.event_id = (select id from event)
        and registration.bib_number = row.bib_number
    ),
    stored as (
      insert into ${results}
        (registration_id, event_id, batch_id, status, chip_time_ms, gun_time_ms, splits)
      select registration_id, event_id, ${batch.id}::uuid, status, chip_time_ms, gun_time_ms,
        ${splitsOf(batch)}
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
    )
    insert into ${resultBatches} (
      id, event_id, api_key_id, source,
      total_processed, uploaded, updated, not_found, errors, duplicates
    )
    select ${batch.id}::uuid, event.id, ${caller.apiKeyId}, ${source}, ${batch.total}::int,
      counted.*, ${batch.errors}::int, ${batch.duplicates}::int
    from event, (
      select count(*) filter (where is_new), count(*) filter (where not is_new),
        ${batch.loadable.rows.length}::int - count(*)
      from stored
    ) counted
    returning uploaded, updated,
      array(select place::int from input where registration_id is null order by place) as missing`);
}

/** A batch's loadable rows as a table named `row`; its splits are `splitsOf` the same batch. */
export const rowsOf = ({ loadable }: Batch): SQL => sql`unnest(
    ${loadable.bibs}::text[], ${loadable.statuses}::text[],
    ${loadable.chipTimesMs}::bigint[], ${loadable.gunTimesMs}::bigint[],
    ${arrayOf(loadable.splitsOf)}::int[], ${loadable.splitTimesMs}::text[]
  ) with ordinality
    as row (bib_number, status, chip_time_ms, gun_time_ms, splits_of, split_times_ms, place)`;

export const splitsOf = ({ loadable }: Batch): SQL => sql`
  case when split_times_ms is null then '{}' else format(
    (${arrayOf(loadable.splitNames.map(formOf))}::text[])[splits_of],
    variadic string_to_array(split_times_ms, '|')
  ) end::jsonb`;

/** The object of splits with these names, with `%s` where a time belongs. */
const formOf = (names: readonly string[]): string =>
  quoted(`{${names.map((name) => `${JSON.stringify(name).replaceAll('%', '%%')}:%s`).join()}}`);
