import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type RowSchema, type Slot, type Slots, statement } from '../../db/statement.ts';
import { managedTarget } from '../../events/panel-queries.ts';
import { KEPT_ROWS_MAX } from '../schemas.ts';
import { KEY, MEMBER, type Sender, type SenderKind } from '../sender.ts';
import { BY_BIB, keptFrom } from '../sql.ts';
import { WRITE_BUDGET_MS } from '../upload/store.ts';
import type { ResultBatchReversal } from './answer-schemas.ts';
import { batchOf, TOUCHED } from './changed-results.ts';
import type { OfBatch } from './queries.ts';
import { swapPassings } from './swap.ts';
import { changeRows, versionsOf } from './versions.ts';

/** A revert; without an id, what one would do. */
type Reversal = OfBatch & { reason: string | null; revertId?: string };

const ofBatch = (column: string): SQL =>
  sql`(select ${sql.identifier(column)} from result_batches where id = ${sql.placeholder('batchId')}::uuid)`;

/** A member's revert is recorded with the key of the batch, if it has one. */
const REVERTING_MEMBER: Sender = {
  ...MEMBER,
  target: managedTarget({ id: ofBatch('api_key_id'), prefix: ofBatch('key_prefix') }),
};

/**
 * The CTE `change`: what the batch did. A swap is taken back whole or not at all: if a result or a passing of the two runners
 * has changed since, nothing of it is current.
 */
const REVERTIBLE = sql`
    -- Passings that were written after the swap, and how many there are now.
    passing_state as materialized (
      select count(*) as passings, coalesce(bool_or(passing.received_at > batch.received_at), false) as is_later
      from batch join passings passing on passing.registration_id = any(swapped_registrations)
        and passing.event_id = batch.event_id
    ),
    change as materialized (
      select registration_id, bib_number, before, after, present, is_undone,
        is_current and (swapped_registrations is null or (
          bool_and(is_current) over () and not is_later and passings = swapped_passings
        )) as is_current,
        swapped_registrations is not null and not is_undone as is_of_swap
      from (${changeRows()}) change cross join batch cross join passing_state
    )`;

/** The CTE `swapped_back`: the two runners of a swap that is taken back, and each the other of the other one. */
const SWAPPED_BACK = sql`
    swapped_back as materialized (
      select own.registration_id, other.registration_id as other_id
      from change own join change other on other.registration_id <> own.registration_id
      where own.is_current and own.is_of_swap
    )`;

const reversalRow = () =>
  z.strictObject({
    batch_id: z.nullable(z.guid()),
    reverts: z.guid(),
    dry_run: z.boolean(),
    restored: z.int(),
    removed: z.int(),
    reinstated: z.int(),
    already_reverted: z.int(),
    kept: z.int(),
    /** Whether a swap stays as it is, because one of the two runners has changed since. */
    is_refused: z.boolean(),
    kept_rows: z.array(
      z.strictObject({
        inscription_id: z.guid(),
        bib_number: z.nullable(z.string()),
        batch_id: z.guid(),
      }),
    ),
  });

/**
 * Takes a batch back in one statement: each result that is still as the batch left it becomes what it was
 * before, and disappears if there was none. Answers one row, or none if the batch is not the caller's.
 * A result that the revert replaces is kept like one that an upload replaces, so a revert can be reverted.
 * Without a `revertId` it answers the same and writes nothing.
 *
 * A result comes back with its upload and its time, so earlier batches can be reverted afterwards.
 *
 * Locks are those of an upload, in the same order. If an upload replaces a result meanwhile, the counts do
 * not add up, and `transact` repeats the transaction.
 */
const takeBack = ({ target, userId }: Sender) =>
  statement(
    reversalRow satisfies RowSchema<ResultBatchReversal & { is_refused: boolean }>,
    ({ eventId, batchId, revertId, reason }: Slots<Reversal>) => sql`
    with target as materialized (${target(eventId)}),
    ${batchOf(batchId, sql`select event_id from target`)},
    ${TOUCHED},
    -- Nobody deletes these registrations, moves them to another event or changes their bibs before the end.
    locked as materialized (
      select touched.*
      from (select * from touched order by registration_id offset 0) touched
      cross join lateral (
        select from registrations
        where id = touched.registration_id and event_id = (select event_id from batch)
        for key share
      ) registration
    ),
    ${versionsOf('locked')},
    ${REVERTIBLE},
    ${revertId ? writeReversal(revertId, { userId, reason }) : sql`recorded as (select null::uuid as id)`}
    select (select id from recorded) as batch_id, batch.id as reverts,
      ${revertId ? sql`false` : sql`true`} as dry_run,
      count(*) filter (
        where is_current and (present).batch_id is not null and (before).batch_id is not null
      )::int as restored,
      count(*) filter (where is_current and (before).batch_id is null)::int as removed,
      count(*) filter (where is_current and (present).batch_id is null)::int as reinstated,
      count(*) filter (where is_undone)::int as already_reverted,
      count(*) filter (where not is_current and not is_undone)::int as kept,
      coalesce(bool_or(is_of_swap and not is_current), false) as is_refused,
      coalesce((
        select json_agg(kept) from (
          select registration_id as inscription_id, bib_number, (present).made_by as batch_id
          from change where not is_current and not is_undone
          order by ${BY_BIB}, registration_id limit ${KEPT_ROWS_MAX}
        ) kept
      ), '[]') as kept_rows
    from batch left join change on true
    group by batch.id`,
  );

/** CTEs that write what the CTE `change` says, and the revert as a batch. */
const writeReversal = (
  revertId: Slot,
  { userId, reason }: Pick<Sender, 'userId'> & { reason: Slot },
): SQL => sql`
    -- The stored results to take back, locked. One that an upload replaced meanwhile is left out.
    replaced as materialized (
      select change.registration_id, before, result
      from (
        select registration_id, before, after from change
        where is_current and (present).batch_id is not null
        order by registration_id offset 0
      ) change
      cross join lateral (
        select * from results
        where registration_id = change.registration_id and batch_id = (after).batch_id
        for update
      ) result
    ),
    ${keptFrom('replaced', revertId)},
    -- Results that have one from before the batch.
    restored as (
      update results result set
        batch_id = (before).batch_id,
        restored_by = ${revertId}::uuid,
        status = (before).status,
        chip_time_ms = (before).chip_time_ms,
        gun_time_ms = (before).gun_time_ms,
        splits = (before).splits,
        first_finished_at = (before).first_finished_at,
        updated_at = (before).updated_at
      from replaced
      where result.registration_id = replaced.registration_id
        and result.event_id = (select event_id from batch)
        and (before).batch_id is not null
      returning 1
    ),
    -- Results that the batch was the first to store.
    removed as (
      delete from results result using replaced
      where result.registration_id = replaced.registration_id
        and result.event_id = (select event_id from batch)
        and (before).batch_id is null
      returning 1
    ),
    -- Results that the batch, a revert, had taken away.
    reinstated as (
      insert into results (
        registration_id, event_id, batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits,
        first_finished_at, updated_at
      )
      select registration_id, (select event_id from batch), (before).batch_id, ${revertId}::uuid,
        (before).status, (before).chip_time_ms, (before).gun_time_ms, (before).splits,
        (before).first_finished_at, (before).updated_at
      from change
      where is_current and (present).batch_id is null
      order by registration_id
      on conflict do nothing
      returning 1
    ),
    ${SWAPPED_BACK},
    ${swapPassings('swapped_back', sql`select event_id from batch`)},
    -- The revert as a batch, if it changes anything. It draws its place among the batches after the locks.
    recorded as (
      insert into result_batches (
        id, event_id, api_key_id, key_prefix, user_id, source, reason, reverts, reverted_upload,
        upload_stands,
        total_processed, uploaded, updated, removed, not_found, errors, duplicates
      )
      select ${revertId}::uuid, batch.event_id, api_key_id, key_prefix, ${userId}::text, 'revert',
        ${reason}::text, batch.id, upload_id, not upload_stands, current, reinstated, restored, removed, 0, 0, 0
      from batch, target,
        (select count(*) as current from change where is_current) change,
        (select count(*) as reinstated from reinstated) reinstated,
        (select count(*) as restored from restored) restored,
        (select count(*) as removed from removed) removed
      where current > 0
      returning id
    )`;

const revert = { key: takeBack(KEY), member: takeBack(REVERTING_MEMBER) };

/** Reverts a batch; a dry run only says what the revert would do. */
export const revertBatch = (
  { isDryRun, ...batch }: OfBatch & { reason: string | null; isDryRun: boolean },
  by: SenderKind,
) => ({
  ...revert[by](isDryRun ? batch : { ...batch, revertId: crypto.randomUUID() }),
  budgetMs: WRITE_BUDGET_MS,
});
