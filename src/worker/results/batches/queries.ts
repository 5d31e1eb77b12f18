import { type SQL, sql } from 'drizzle-orm';
import { callerKeyId } from '../../auth/api-key/queries.ts';
import { db } from '../../db/query-builder.ts';
import {
  apiKeys,
  registrations,
  replacedResults,
  resultBatches,
  results,
} from '../../db/schema.ts';
import { type Slot, type Slots, statement } from '../../db/statement.ts';
import { ownEventId } from '../../events/queries.ts';
import type { Limits } from '../../http/pagination.ts';
import { KEPT_COLUMNS, keptColumnsOf } from '../upload/store.ts';

/** A batch with the key that sent it, and the revert that is in force, if any. */
export type BatchRow = {
  id: string;
  source: (typeof resultBatches.source.enumValues)[number];
  received_at_ms: number;
  key_name: string;
  key_prefix: string;
  file_name: string | null;
  total_processed: number;
  uploaded: number;
  updated: number;
  unchanged: number;
  removed: number;
  not_found: number;
  errors: number;
  duplicates: number;
  reverts: string | null;
  reverted_at_ms: number | null;
  reverted_by: string | null;
};

/** What a result says; times in ms. */
export type StoredResult = {
  status: (typeof results.status.enumValues)[number];
  chip_time_ms: number | null;
  gun_time_ms: number | null;
  splits: Record<string, number>;
};

export type ChangeRow = {
  bib_number: string | null;
  before: StoredResult | null;
  after: StoredResult | null;
  replaced_by: string | null;
};

/** A page of rows as JSON, and how many there are in all. */
export type Page<Row> = { total: number; rows: Row[] };

/** What a revert did, or would do. */
export type Reversal = {
  batch_id: string | null;
  restored: number;
  removed: number;
  reinstated: number;
  already_reverted: number;
  kept: number;
  kept_rows: { bib_number: string | null; batch_id: string | null }[];
};

/** How many rows a revert lists of those that it leaves alone. */
export const KEPT_ROWS_MAX = 1_000;

type OfEvent = { eventId: string };
type OfBatch = OfEvent & { batchId: string };

const msOf = (instant: SQL): SQL => sql`(extract(epoch from ${instant}) * 1000)::float8`;

/**
 * A page of the event's batches, newest first; no row if the event is not the caller's. A revert may
 * itself be reverted, and so on: a batch counts as reverted if an odd number of reverts follow each other.
 */
export const listBatches = statement(({ eventId, limit, offset }: Slots<OfEvent & Limits>) =>
  db.execute<Page<BatchRow>>(sql`
    with event as materialized (${ownEventId(eventId)}),
    page as (
      select batch.id, source, ${msOf(sql`batch.received_at`)} as received_at_ms,
        api_key.name as key_name, api_key.key_prefix, file_name, total_processed, uploaded, updated,
        unchanged, removed, not_found, errors, duplicates, reverts,
        ${msOf(sql`revert.received_at`)} as reverted_at_ms, revert.id as reverted_by
      from (
        select * from ${resultBatches} where event_id = (select id from event)
        order by received_at desc, id desc limit ${limit} offset ${offset}
      ) batch
      join ${apiKeys} api_key on api_key.id = batch.api_key_id
      left join lateral (
        with recursive chain (id, received_at, depth) as (
          (${latestRevertOf(sql`batch.id`)})
          union all
          select next.id, next.received_at, chain.depth + 1
          from chain cross join lateral (${latestRevertOf(sql`chain.id`)}) next
        )
        select id, received_at from chain
        where depth = 1 and (select max(depth) from chain) % 2 = 1
      ) revert on true
      order by batch.received_at desc, batch.id desc
    )
    select (select count(*)::int from ${resultBatches} where event_id = event.id) as total,
      coalesce((select json_agg(page) from page), '[]') as rows
    from event`),
);

const latestRevertOf = (batchId: SQL): SQL => sql`
  select id, received_at, 1 from ${resultBatches} where reverts = ${batchId}
  order by received_at desc, id desc limit 1`;

/** The CTE `batch`: its id, its event and the batch that it reverts. It is empty if it is not the event's. */
const batchOf = (batchId: Slot, eventId: SQL): SQL => sql`
  batch as materialized (
    select id, event_id, reverts from ${resultBatches}
    where id = ${batchId}::uuid and event_id = (${eventId})
  )`;

/**
 * The CTE `touched`: the registrations whose result the batch changed. A result names the batch that
 * stored it and the revert that brought it back. A revert also took results of the reverted batch away.
 */
const TOUCHED = sql`
  touched as materialized (
    select registration.id as registration_id, registration.bib_number
    from (
      select registration_id from ${results} where batch_id = (select id from batch)
      union select registration_id from ${results} where restored_by = (select id from batch)
      union select registration_id from ${replacedResults} where batch_id = (select id from batch)
      union select registration_id from ${replacedResults} where restored_by = (select id from batch)
      union select registration_id from ${replacedResults}
      where replaced_by = (select id from batch) and batch_id = (select reverts from batch)
      union select registration_id from ${replacedResults}
      where replaced_by = (select id from batch) and restored_by = (select reverts from batch)
    ) changed
    cross join lateral (
      select id, bib_number from ${registrations}
      where id = changed.registration_id and event_id = (select event_id from batch) offset 0
    ) registration
  )`;

const isOfBatch = (row: string): SQL =>
  sql`(select id from batch) in (${sql.raw(row)}.batch_id, ${sql.raw(row)}.restored_by)`;

/**
 * Rows of `touched`, each with its result now, the result before the batch, and the `holder`: the batch
 * that the result now comes from, or that took it away.
 */
const withResults = (touched: SQL): SQL => sql`
  select touched.*, stored, before,
    coalesce(stored.restored_by, stored.batch_id, latest.replaced_by) as holder,
    coalesce(${isOfBatch('stored')}, latest.replaced_by = (select id from batch), false) as is_current
  from ${touched} touched
  left join lateral (
    select * from ${results} where registration_id = touched.registration_id offset 0
  ) stored on true
  left join lateral (
    select * from ${replacedResults}
    where replaced_by = (select id from batch) and registration_id = touched.registration_id offset 0
  ) before on true
  left join lateral (
    select replaced_by from ${replacedResults}
    where registration_id = touched.registration_id and stored.registration_id is null
    order by id desc limit 1
  ) latest on true`;

const BY_BIB = sql`char_length(bib_number), bib_number collate "C", registration_id`;

/** What a row of results says, as JSON; null if there is no row. */
const contentOf = (row: 'before' | 'after'): SQL => {
  const name = sql.identifier(row);
  return sql`case when (${name}).status is not null then json_build_object(
    'status', (${name}).status, 'chip_time_ms', (${name}).chip_time_ms,
    'gun_time_ms', (${name}).gun_time_ms, 'splits', (${name}).splits
  ) end as ${name}`;
};

/** A page of what a batch changed, by bib; no row if the batch is not the caller's. */
export const listChanges = statement((slots: Slots<OfBatch & Limits>) => {
  const { eventId, batchId, limit, offset } = slots;
  return db.execute<Page<ChangeRow>>(sql`
    with ${batchOf(batchId, ownEventId(eventId))},
    ${TOUCHED},
    page as (
      select bib_number, ${contentOf('before')}, ${contentOf('after')},
        case when not is_current then holder end as replaced_by
      from (${withResults(
        sql`(select * from touched order by ${BY_BIB} limit ${limit} offset ${offset})`,
      )}) change
      left join lateral (
        select status, chip_time_ms, gun_time_ms, splits
        from ${results} result
        where registration_id = change.registration_id and ${isOfBatch('result')}
        union all
        select status, chip_time_ms, gun_time_ms, splits
        from ${replacedResults} result
        where registration_id = change.registration_id and ${isOfBatch('result')}
        limit 1
      ) after on true
      order by ${BY_BIB}
    )
    select (select count(*)::int from touched) as total,
      coalesce((select json_agg(page) from page), '[]') as rows
    from batch`);
});

/**
 * Takes a batch back in one statement: each result that is still the batch's becomes what it was before,
 * and disappears if there was none. Answers one `Reversal`, or none if the batch is not the caller's.
 * What the revert replaces is kept like what an upload replaces, so a revert can be reverted.
 *
 * A result comes back with its batch and its time, so earlier batches can be reverted afterwards.
 *
 * Locks are those of an upload, in the same order. If an upload replaces a result meanwhile, the counts do
 * not add up, and `transact` repeats the transaction.
 */
export const revertBatch = statement((slots: Slots<OfBatch & { revertId: string }>) => {
  const { eventId, batchId, revertId } = slots;
  const revert = sql`${revertId}::uuid`;
  return db.execute<Reversal>(sql`
    with target as materialized (
      select event.id as event_id, api_key.id as api_key_id
      from (${ownEventId(eventId)} for key share) event,
        (${callerKeyId} for key share) api_key
    ),
    ${batchOf(batchId, sql`select event_id from target`)},
    ${TOUCHED},
    locked as materialized (
      select touched.*
      from (select * from touched order by registration_id offset 0) touched
      cross join lateral (
        select from ${registrations} where id = touched.registration_id for key share
      ) registration
    ),
    change as materialized (${withResults(sql`locked`)}),
    replaced as materialized (
      select change.registration_id, before, result
      from (
        select registration_id, before from change
        where is_current and (stored).registration_id is not null
        order by registration_id offset 0
      ) change
      cross join lateral (
        select * from ${results} result
        where registration_id = change.registration_id and ${isOfBatch('result')}
        for update
      ) result
    ),
    kept as (
      insert into ${replacedResults} (replaced_by, ${KEPT_COLUMNS})
      select ${revert}, ${keptColumnsOf('result')} from replaced
    ),
    restored as (
      update ${results} result set
        batch_id = (before).batch_id,
        restored_by = ${revert},
        status = (before).status,
        chip_time_ms = (before).chip_time_ms,
        gun_time_ms = (before).gun_time_ms,
        splits = (before).splits,
        updated_at = (before).updated_at
      from replaced
      where result.registration_id = replaced.registration_id
        and (before).registration_id is not null
      returning 1
    ),
    removed as (
      delete from ${results} result using replaced
      where result.registration_id = replaced.registration_id and (before).registration_id is null
      returning 1
    ),
    reinstated as (
      insert into ${results} (
        registration_id, event_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits,
        updated_at
      )
      select registration_id, (select event_id from batch), (before).batch_id, ${revert},
        (before).status, (before).chip_time_ms, (before).gun_time_ms, (before).splits,
        (before).updated_at
      from change
      where is_current and (stored).registration_id is null
      order by registration_id
      on conflict do nothing
      returning 1
    ),
    recorded as (
      insert into ${resultBatches} (
        id, event_id, api_key_id, source, reverts,
        total_processed, uploaded, updated, removed, not_found, errors, duplicates
      )
      select ${revert}, batch.event_id, api_key_id, 'revert', batch.id,
        (select count(*) from change where is_current), (select count(*) from reinstated),
        (select count(*) from restored), (select count(*) from removed), 0, 0, 0
      from batch, target
      where exists (select from change where is_current)
      returning id
    ),
    ${reversal(sql`(select id from recorded)`)}`);
});

/** Answers what `revertBatch` would, and writes nothing. `batch_id` is null. */
export const dryRunRevert = statement(({ eventId, batchId }: Slots<OfBatch>) =>
  db.execute<Reversal>(sql`
    with ${batchOf(batchId, ownEventId(eventId))},
    ${TOUCHED},
    change as materialized (${withResults(sql`touched`)}),
    ${reversal(sql`null::uuid`)}`),
);

/** The end of a revert. It counts the CTE `change`. */
const reversal = (batchId: SQL): SQL => sql`
  counted as materialized (
    select *, not is_current and is_by_revert as is_undone, not is_current and not is_by_revert as is_kept
    from change cross join lateral (
      select exists (
        select from ${resultBatches}
        where reverts = (select batch.id from batch) and result_batches.id = holder
      ) as is_by_revert
    ) holding
  )
  select ${batchId} as batch_id,
    count(*) filter (
      where is_current and (stored).registration_id is not null
        and (before).registration_id is not null
    )::int as restored,
    count(*) filter (where is_current and (before).registration_id is null)::int as removed,
    count(*) filter (where is_current and (stored).registration_id is null)::int as reinstated,
    count(*) filter (where is_undone)::int as already_reverted,
    count(*) filter (where is_kept)::int as kept,
    coalesce((
      select json_agg(kept) from (
        select bib_number, holder as batch_id from counted where is_kept
        order by ${BY_BIB} limit ${KEPT_ROWS_MAX}
      ) kept
    ), '[]') as kept_rows
  from batch left join counted on true
  group by batch.id`;
