import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../caller/caller.ts';
import { registrations, resultBatches, results } from '../db/schema.ts';
import { ownEventId } from '../events/queries.ts';
import type { Batch } from './batch.ts';

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
 * another and never in a circle. Splits travel as triples of row, name and time: there is no JSON to
 * write, escape and parse, and a name is sent once.
 */
export function storeBatch(caller: Caller, eventId: string, batch: Batch, source: BatchSource) {
  const rows = batch.loadable.map(({ result }) => result);
  const splits = toTriples(batch);
  return caller.db.execute<Stored>(sql`
    with event as materialized (
      select ${ownEventId(caller, eventId)} as id
    ),
    input as (
      select row.*, event.id as event_id, registration.id as registration_id
      from event
      cross join unnest(
        ${array(rows.map(({ bib }) => bib))}::text[],
        ${array(rows.map(({ status }) => status))}::text[],
        ${array(rows.map(({ chipTimeMs }) => chipTimeMs))}::bigint[],
        ${array(rows.map(({ gunTimeMs }) => gunTimeMs))}::bigint[]
      ) with ordinality as row (bib_number, status, chip_time_ms, gun_time_ms, place)
      left join ${registrations} registration
        on registration.event_id = event.id and registration.bib_number = row.bib_number
      where event.id is not null
    ),
    split as (
      select triple.place, jsonb_object_agg(name.text, triple.time_ms) as times
      from unnest(
        ${array(splits.places)}::bigint[],
        ${array(splits.nameNumbers)}::bigint[],
        ${array(splits.timesMs)}::bigint[]
      ) as triple (place, name_number, time_ms)
      join unnest(${array(splits.names)}::text[]) with ordinality as name (text, number)
        on name.number = triple.name_number
      group by triple.place
    ),
    stored as (
      insert into ${results}
        (registration_id, event_id, batch_id, status, chip_time_ms, gun_time_ms, splits)
      select input.registration_id, input.event_id, ${batch.id}::uuid, input.status,
        input.chip_time_ms, input.gun_time_ms, coalesce(split.times, '{}')
      from input
      left join split on split.place = input.place
      where input.registration_id is not null
      order by input.registration_id
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
      where event.id is not null
      returning id
    )
    select uploaded, updated, missing from counted, recorded`);
}

/** The splits of all rows as parallel columns; places and numbers count from 1. */
function toTriples({ loadable }: Batch) {
  const numbers = new Map<string, number>();
  const places: number[] = [];
  const nameNumbers: number[] = [];
  const timesMs: number[] = [];
  for (const [index, { result }] of loadable.entries()) {
    for (const [name, timeMs] of result.splits) {
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      places.push(index + 1);
      nameNumbers.push(number);
      timesMs.push(timeMs);
    }
  }
  return { names: [...numbers.keys()], places, nameNumbers, timesMs };
}

/** One parameter that is an array, not a parameter for each of its elements. */
const array = (values: readonly unknown[]): SQL => sql`${sql.param(values)}`;
