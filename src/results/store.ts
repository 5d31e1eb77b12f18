import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../caller/caller.ts';
import { registrations, resultBatches, results } from '../db/schema.ts';
import { tooLarge } from '../errors.ts';
import { ownEventId } from '../events/queries.ts';
import type { Batch } from './batch.ts';
import type { Result } from './judge.ts';

/** Neon takes a request of 64 MiB; a name that repeats in every row multiplies what was sent. */
const SPLITS_JSON_MAX = 32 * 1_024 * 1_024;

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
 * another and never in a circle. Scalars travel as arrays, which Postgres reads fastest, and splits
 * as one JSON document, which needs the least escaping.
 *
 * @throws ApiError VALIDATION_ERROR (413) when the splits are more than one statement can carry.
 */
export function storeBatch(caller: Caller, eventId: string, batch: Batch, source: BatchSource) {
  const rows = batch.loadable.map(({ result }) => result);
  return caller.db.execute<Stored>(sql`
    with event as materialized (${ownEventId(caller, eventId)}),
    input as (
      select row.*, registration.id as registration_id
      from rows from (
        unnest(
          ${array(rows.map(({ bib }) => bib))}::text[],
          ${array(rows.map(({ status }) => status))}::text[],
          ${array(rows.map(({ chipTimeMs }) => chipTimeMs))}::bigint[],
          ${array(rows.map(({ gunTimeMs }) => gunTimeMs))}::bigint[]
        ),
        jsonb_array_elements(${splitsJson(rows)}::jsonb)
      ) with ordinality as row (bib_number, status, chip_time_ms, gun_time_ms, splits, place)
      left join ${registrations} registration
        on registration.event_id = (select id from event)
        and registration.bib_number = row.bib_number
    ),
    stored as (
      insert into ${results}
        (registration_id, event_id, batch_id, status, chip_time_ms, gun_time_ms, splits)
      select registration_id, (select id from event), ${batch.id}::uuid, status, chip_time_ms,
        gun_time_ms, splits
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
        ${batch.failed.length}::int, ${batch.duplicates}::int
      from event, counted
      returning id
    )
    select uploaded, updated, missing from counted, recorded`);
}

/** An object for each row, in their order. */
function splitsJson(rows: readonly Result[]): string {
  let length = 0;
  const objects = rows.map(({ splits }) => {
    const object = JSON.stringify(Object.fromEntries(splits));
    length += object.length;
    if (length > SPLITS_JSON_MAX) {
      throw tooLarge(
        `The splits, each with its name, take more than ${SPLITS_JSON_MAX} characters; ` +
          'upload the file in parts.',
      );
    }
    return object;
  });
  return `[${objects.join(',')}]`;
}

/** One parameter that is an array, not a parameter for each of its elements. */
const array = (values: readonly unknown[]): SQL => sql`${sql.param(values)}`;
