import { type SQL, sql } from 'drizzle-orm';
import { callerKeyId } from '../../auth/api-key/queries.ts';
import { db } from '../../db/query-builder.ts';
import { registrations, replacedResults, resultBatches, results } from '../../db/schema.ts';
import { type Slots, type Statement, statement } from '../../db/statement.ts';
import { ownEventId } from '../../events/queries.ts';
import { arrayOf, type Batch, quoted } from './batch.ts';

/** What an upload is recorded with, beside its counts. */
export type UploadFacts = {
  source: 'json' | 'csv';
  fileName?: string | undefined;
  /** The key that the client sent, and the SHA-256 of the content that it named so. */
  idempotency?: { key: string; contentHash: string } | undefined;
};

/** What became of a batch's loadable rows. */
export type Stored = {
  /** The batch of the first upload, if this one repeats it. */
  batch_id: string;
  uploaded: number;
  updated: number;
  /** Rows among `updated` that were stored already. */
  unchanged: number;
  /** Places in `loadable`, from 1 on, whose bib has no registration. */
  missing: number[];
  /** False if the idempotency key belongs to an upload with other content. Then nothing is written. */
  is_same_content: boolean;
};

/**
 * Stores a batch in one statement. Answers one `Stored`, or none if the event is not the caller's; then
 * nothing is written. If the event has an upload with the same idempotency key, nothing is written, and
 * the answer is that of the first upload.
 *
 * A row that equals the stored result is counted and not written. A result that changes is kept in
 * `replaced_results`.
 *
 * The statement locks the event, the key and the registrations, so that nobody deletes them before
 * the rows are stored. Writers of other columns do not wait for these locks. Registrations, and then
 * results, are locked in the order of their ids, so that uploads cannot wait for each other in a circle.
 * Results that stay as they are are locked too: so uploads at the same time end as one after the other would.
 *
 * If another upload inserts the first result of a bib at the same time, this one does not insert it. Then the
 * counts do not add up, the check of `result_batches` fails, and `transact` repeats the transaction.
 *
 * Each column travels as one array, because Postgres reads arrays fastest. No two results of subqueries are
 * joined: without statistics, the planner would join them in nested loops.
 */
export const storeBatch = (
  eventId: string,
  batch: Batch,
  { source, fileName, idempotency }: UploadFacts,
): Statement<Stored[]> =>
  insertBatch({
    ...rowValues(batch),
    eventId,
    batchId: batch.id,
    source,
    fileName: fileName ?? null,
    idempotencyKey: idempotency?.key ?? null,
    sentHash: idempotency?.contentHash ?? null,
    loadable: batch.loadable.rows.length,
    total: batch.total,
    errors: batch.errors,
    duplicates: batch.duplicates,
  });

type BatchValues = RowValues & {
  eventId: string;
  batchId: string;
  source: UploadFacts['source'];
  fileName: string | null;
  idempotencyKey: string | null;
  sentHash: string | null;
  loadable: number;
  total: number;
  errors: number;
  duplicates: number;
};

const insertBatch = statement((batch: Slots<BatchValues>) => {
  const key = sql`${batch.idempotencyKey}::uuid`;
  const contentHash = sql`${batch.sentHash}::text`;
  return db.execute<Stored>(sql`
    with target as materialized (
      select event.id as event_id, api_key.id as api_key_id
      from (${ownEventId(batch.eventId)} for key share) event,
        (${callerKeyId} for key share) api_key
    ),
    earlier as materialized (
      select * from ${resultBatches}
      where event_id = (select event_id from target) and idempotency_key = ${key}
    ),
    input as materialized (
      select row.*, ${splitsOf(batch)} as splits from ${rowsOf(batch)}
      where not exists (select from earlier)
    ),
    loadable as materialized (
      select input.*, registration.id as registration_id, registration.event_id
      from input join ${registrations} registration
        on registration.event_id = (select event_id from target)
        and registration.bib_number = input.bib_number
      order by registration.id
      for key share of registration
    ),
    changed as materialized (
      select loadable.*, result
      from loadable left join lateral (
        select * from ${results} where registration_id = loadable.registration_id for update
      ) result on true
      where (result.status, result.chip_time_ms, result.gun_time_ms, result.splits)
        is distinct from
        (loadable.status, loadable.chip_time_ms, loadable.gun_time_ms, loadable.splits)
    ),
    kept as (
      insert into ${replacedResults} (replaced_by, ${KEPT_COLUMNS})
      select ${batch.batchId}::uuid, ${keptColumnsOf('result')} from changed
      where (result).registration_id is not null
    ),
    updated as (
      update ${results} stored set
        batch_id = ${batch.batchId}::uuid,
        restored_by = null,
        status = changed.status,
        chip_time_ms = changed.chip_time_ms,
        gun_time_ms = changed.gun_time_ms,
        splits = changed.splits,
        updated_at = now()
      from changed
      where stored.registration_id = changed.registration_id
        and (changed.result).registration_id is not null
      returning 1
    ),
    inserted as (
      insert into ${results}
        (registration_id, event_id, batch_id, status, chip_time_ms, gun_time_ms, splits)
      select registration_id, event_id, ${batch.batchId}::uuid, status, chip_time_ms, gun_time_ms, splits
      from changed
      where (result).registration_id is null
      order by registration_id
      on conflict (registration_id) do nothing
      returning 1
    ),
    missing as materialized (
      select case when (select count(*) from loadable) < ${batch.loadable}::int then array(
        select place::int from input except select place::int from loadable order by place
      ) else '{}' end as places
    ),
    recorded as (
      insert into ${resultBatches} (
        id, event_id, api_key_id, source, file_name, idempotency_key, content_hash, not_found_places,
        total_processed, uploaded, updated, unchanged, not_found, errors, duplicates
      )
      select ${batch.batchId}::uuid, event_id, api_key_id, ${batch.source}, ${batch.fileName}, ${key},
        ${contentHash}, case when ${key} is not null then places end,
        ${batch.total}::int, uploaded, corrected + unchanged, unchanged, cardinality(places),
        ${batch.errors}::int, ${batch.duplicates}::int
      from target, missing, (select count(*)::int as uploaded from inserted) inserted,
        (select count(*)::int as corrected from updated) updated,
        (
          select (select count(*) from loadable) - (select count(*) from changed) as unchanged
        ) unchanged
      where not exists (select from earlier)
      returning id as batch_id, uploaded, updated, unchanged
    )
    select recorded.*, places as missing, true as is_same_content from recorded, missing
    union all
    select id, uploaded, updated, unchanged, not_found_places, content_hash = ${contentHash}
    from earlier`);
});

const KEPT = [
  ...['registration_id', 'batch_id', 'restored_by', 'status', 'chip_time_ms', 'gun_time_ms'],
  ...['splits', 'updated_at'],
];

/** What `replaced_results` keeps of a result. */
export const KEPT_COLUMNS = sql.raw(KEPT.join(', '));

/** The same columns of a column that holds a whole result. */
export const keptColumnsOf = (row: 'result'): SQL =>
  sql.raw(KEPT.map((column) => `(${row}).${column}`).join(', '));

type Array = ReturnType<typeof arrayOf>;

/** A batch's loadable rows, each column as an array that Postgres reads. */
export type RowValues = {
  bibs: Array;
  statuses: Array;
  chipTimesMs: Array;
  gunTimesMs: Array;
  splitsOf: Array;
  splitTimesMs: Array;
  splitForms: Array;
};

export const rowValues = ({ loadable }: Batch): RowValues => ({
  bibs: loadable.bibs,
  statuses: loadable.statuses,
  chipTimesMs: loadable.chipTimesMs,
  gunTimesMs: loadable.gunTimesMs,
  splitsOf: arrayOf(loadable.splitsOf),
  splitTimesMs: loadable.splitTimesMs,
  splitForms: arrayOf(loadable.splitNames.map(formOf)),
});

/** The rows as a table named `row`; its splits are `splitsOf` the same batch. */
export const rowsOf = (batch: Slots<RowValues>): SQL => sql`unnest(
    ${batch.bibs}::text[], ${batch.statuses}::text[],
    ${batch.chipTimesMs}::bigint[], ${batch.gunTimesMs}::bigint[],
    ${batch.splitsOf}::int[], ${batch.splitTimesMs}::text[]
  ) with ordinality
    as row (bib_number, status, chip_time_ms, gun_time_ms, splits_of, split_times_ms, place)`;

/** The splits of a row as JSON. Postgres puts its times into a form that holds the names. */
export const splitsOf = ({ splitForms }: Slots<RowValues>): SQL => sql`
  case when split_times_ms is null then '{}' else format(
    (${splitForms}::text[])[splits_of], variadic string_to_array(split_times_ms, '|')
  ) end::jsonb`;

/** The object of splits with these names, with `%s` where a time belongs. */
const formOf = (names: readonly string[]): string =>
  quoted(`{${names.map((name) => `${JSON.stringify(name).replaceAll('%', '%%')}:%s`).join()}}`);
