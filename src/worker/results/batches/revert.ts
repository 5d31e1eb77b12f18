import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type RowSchema, type Slot, type Slots, statement } from '../../db/statement.ts';
import { managedTarget } from '../../events/panel-queries.ts';
import { applyChange } from '../change.ts';
import { KEPT_ROWS_MAX } from '../schemas.ts';
import { KEY, MEMBER, type Sender } from '../sender.ts';
import { BY_BIB } from '../sql.ts';
import type { ResultBatchReversal } from './answer-schemas.ts';
import { batchOf, TOUCHED } from './changed-results.ts';
import type { OfBatch } from './queries.ts';
import { swapPassings } from './swap.ts';
import { changeRows, versionsOf } from './versions.ts';

/** A revert; without an id, the preview of a revert. */
type Reversal = OfBatch & { reason: string | null; revertId?: string | undefined };

const ofBatch = (column: string): SQL =>
  sql`(select ${sql.identifier(column)} from result_batches where id = ${sql.placeholder('batchId')}::uuid)`;

/** A member's revert is recorded with the key of the batch, if any. */
const REVERTING_MEMBER: Sender = {
  ...MEMBER,
  target: managedTarget({ id: ofBatch('api_key_id'), prefix: ofBatch('key_prefix') }),
};

/**
 * The CTE `change`: the effect of the batch. A swap is reverted whole or not at all: if a result or a passing of the
 * two runners has changed since, no part of the swap is current.
 */
const REVERTIBLE = sql`
    -- Whether uploads wrote passings after the swap, in the order of the locks, and the present number of passings.
    passing_state as materialized (
      select count(*) as passings, coalesce(bool_or(upload.effect_order > batch.effect_order), false) as is_later
      from batch join passings passing on passing.registration_id = any(swapped_registrations)
        and passing.event_id = batch.event_id
      left join passing_uploads upload on upload.id = passing.upload_id
    ),
    change as materialized (
      select registration_id, bib_number, before, after, present, is_undone,
        is_current and (swapped_registrations is null or (
          bool_and(is_current) over () and not is_later and passings = swapped_passings
        )) as is_current,
        swapped_registrations is not null and not is_undone as is_of_swap
      from (${changeRows()}) change cross join batch cross join passing_state
    )`;

/** The CTE `swapped_back`: the two runners of a reverted swap, each with the partner in the swap. */
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
    /** Whether a swap stays, because the result or a passing of a runner has changed since. */
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
 * Reverts a batch in a single statement: each result still unchanged since the batch becomes the result before, and
 * disappears without a result before. Answers a row, or none if the batch is not the caller's. The revert keeps
 * replaced results, as an upload does, so a revert can be reverted. Without a `revertId` the statement answers the
 * effect and writes nothing.
 *
 * A result comes back with its upload and its time, so earlier batches can be reverted afterwards.
 *
 * The locks are the locks of an upload, in the order of an upload. If an upload replaces a result meanwhile, the counts
 * do not add up, and `transact` repeats the transaction.
 */
const takeBack = ({ kind, target, userId }: Sender) =>
  statement(
    `revertBatch.${kind}`,
    reversalRow satisfies RowSchema<ResultBatchReversal & { is_refused: boolean }>,
    ({ eventId, batchId, revertId, reason }: Slots<Reversal>) => sql`
    with target as materialized (${target(eventId)}),
    ${batchOf(batchId, sql`select event_id from target`)},
    ${TOUCHED},
    -- No transaction deletes these registrations, moves them to another event or changes their bibs before the end.
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
    { revertId: true },
  );

/**
 * Whether the batch moved a start and is in force. The revert moves the start and the passings back, even if all results
 * have changed since or no result counted from the start.
 */
const IS_SHIFT_IN_FORCE = sql`(is_of_shift and not exists (
        select from result_batches later
        where later.reverted_upload = batch.upload_id and later.effect_order > batch.effect_order
      ))`;

/** Whether the batch, or the batch at the start of a chain of reverts, takes away any result of a runner. */
const IS_REMOVAL = sql`num_nonnulls(deleted_registration, swapped_registrations) > 0`;

/**
 * CTEs for the marks of a deletion or a swap: a revert ends the marks, and the revert of a revert brings marks back.
 */
const REMOVAL_MARKS = sql`
    unmarked as (
      delete from withdrawn_results marks using changed, batch
      where ${IS_REMOVAL} and upload_stands
        and marks.registration_id = changed.registration_id and marks.batch_id = batch.upload_id
    ),
    marked_again as (
      insert into withdrawn_results (registration_id, batch_id)
      select registration_id, upload_id from changed cross join batch
      where ${IS_REMOVAL} and not upload_stands and (before).batch_id is null
    ),`;

/** CTEs that write the changes of the CTE `change`, and the revert as a batch. */
const writeReversal = (
  revertId: Slot,
  { userId, reason }: Pick<Sender, 'userId'> & { reason: Slot },
): SQL => sql`
    -- The results after the batch, locked, and the results before. A result that a concurrent transaction wrote is left
    -- out.
    changed as materialized (
      select current.registration_id, before, result
      from (
        select registration_id, before, present from change where is_current
        order by registration_id offset 0
      ) current
      left join lateral (
        select * from results
        where registration_id = current.registration_id and batch_id = (present).batch_id
        for update
      ) result on true
      where (result).batch_id is not distinct from (present).batch_id
    ),
    ${REMOVAL_MARKS}
    ${SWAPPED_BACK},
    ${swapPassings('swapped_back', sql`select event_id from batch`)},
    ${applyChange({
      batchId: revertId,
      after: { of: 'before', set: { restored_by: sql`${revertId}::uuid` } },
      facts: {
        user_id: sql`${userId}::text`,
        source: sql`'revert'`,
        reason: sql`${reason}::text`,
        reverts: sql`batch.id`,
        reverted_upload: sql`upload_id`,
        upload_stands: sql`not upload_stands`,
        total_processed: sql`current`,
      },
      from: sql`batch, (select count(*) as current from change where is_current) current`,
      when: sql`current > 0 or ${IS_SHIFT_IN_FORCE}`,
      withdraws: 'values',
    })}`;

export const revertBatch = { key: takeBack(KEY), member: takeBack(REVERTING_MEMBER) };
