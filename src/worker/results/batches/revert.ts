import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { callerKeyId, callerKeyPrefix } from '../../auth/api-key/queries.ts';
import { memberUserId } from '../../auth/panel/queries.ts';
import { type Slot, type Slots, statement } from '../../db/statement.ts';
import { managedEventId } from '../../events/panel-queries.ts';
import { ownEventId } from '../../events/queries.ts';
import { BY_BIB, keptFrom, targetOf } from '../sql.ts';
import { WRITE_BUDGET_MS } from '../upload/store.ts';
import type { ResultBatchReversal } from './answer-schemas.ts';
import { batchOf, TOUCHED, withVersions } from './changed-results.ts';
import type { OfBatch } from './queries.ts';
import { KEPT_ROWS_MAX } from './schemas.ts';

/** The caller who takes a batch back, in SQL. */
type Reverter = {
  /** The id of the event; null if it is not theirs. */
  ownEvent: (eventId: Slot) => SQL;
  /** The key that the revert is recorded with. */
  keyId: SQL;
  keyPrefix: SQL;
  userId: SQL;
};

const ofBatch = (column: string): SQL =>
  sql`(select ${sql.identifier(column)} from result_batches where id = ${sql.placeholder('batchId')}::uuid)`;

const KEY: Reverter = {
  ownEvent: ownEventId,
  keyId: callerKeyId,
  keyPrefix: callerKeyPrefix,
  userId: sql`null`,
};

const MEMBER: Reverter = {
  ownEvent: managedEventId,
  keyId: sql`(select id from api_keys where id = ${ofBatch('api_key_id')})`,
  keyPrefix: ofBatch('key_prefix'),
  userId: sql`${memberUserId}`,
};

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
const takeBack = ({ ownEvent, keyId, keyPrefix, userId }: Reverter) =>
  statement(
    z.custom<ResultBatchReversal>,
    ({ eventId, batchId, revertId }: Slots<OfBatch & { revertId?: string }>) => sql`
    with ${targetOf(ownEvent(eventId), keyId)},
    ${batchOf(batchId, sql`select event_id from target`)},
    ${TOUCHED},
    -- Nobody deletes these registrations or changes their bibs before the end.
    locked as materialized (
      select touched.*
      from (select * from touched order by registration_id offset 0) touched
      cross join lateral (
        select from registrations where id = touched.registration_id for key share
      ) registration
    ),
    -- Each of them with what the result was, is and was before.
    change as materialized (${withVersions(sql`locked`)}),
    ${revertId ? writeReversal(revertId, { keyPrefix, userId }) : sql`recorded as (select null::uuid as id)`}
    select (select id from recorded) as batch_id, batch.id as reverts,
      ${revertId ? sql`false` : sql`true`} as dry_run,
      count(*) filter (
        where is_current and (stored).batch_id is not null and (before).batch_id is not null
      )::int as restored,
      count(*) filter (where is_current and (before).batch_id is null)::int as removed,
      count(*) filter (where is_current and (stored).batch_id is null)::int as reinstated,
      count(*) filter (where is_undone)::int as already_reverted,
      count(*) filter (where not is_current and not is_undone)::int as kept,
      coalesce((
        select json_agg(kept) from (
          select registration_id as inscription_id, bib_number, holder as batch_id
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
  { keyPrefix, userId }: Pick<Reverter, 'keyPrefix' | 'userId'>,
): SQL => sql`
    -- The stored results to take back, locked. One that an upload replaced meanwhile is left out.
    replaced as materialized (
      select change.registration_id, before, result
      from (
        select registration_id, before, after from change
        where is_current and (stored).batch_id is not null
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
      where is_current and (stored).batch_id is null
      order by registration_id
      on conflict do nothing
      returning 1
    ),
    -- The revert as a batch, if it changes anything.
    recorded as (
      insert into result_batches (
        id, event_id, api_key_id, key_prefix, user_id, source, reverts, reverted_upload, upload_stands,
        total_processed, uploaded, updated, removed, not_found, errors, duplicates
      )
      select ${revertId}::uuid, batch.event_id, api_key_id, ${keyPrefix}, ${userId}::text, 'revert',
        batch.id, upload_id, not upload_stands,
        (select count(*) from change where is_current), (select count(*) from reinstated),
        (select count(*) from restored), (select count(*) from removed), 0, 0, 0
      from batch, target
      where exists (select from change where is_current)
      returning id
    )`;

/** Reverts a batch; a dry run only says what the revert would do. */
const reverter = (who: Reverter) => {
  const revert = takeBack(who);
  return (batch: OfBatch, isDryRun: boolean) => ({
    ...revert(isDryRun ? batch : { ...batch, revertId: crypto.randomUUID() }),
    budgetMs: WRITE_BUDGET_MS,
  });
};

/** With an API key. */
export const revertBatch = reverter(KEY);

/** In the organization's panel. The revert is recorded with the key of the batch, and with the user. */
export const revertBatchAsMember = reverter(MEMBER);
