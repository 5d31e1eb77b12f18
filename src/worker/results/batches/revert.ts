import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { callerKeyId, callerKeyPrefix } from '../../auth/api-key/queries.ts';
import { memberUserId } from '../../auth/panel/queries.ts';
import { type Slot, type Slots, statement } from '../../db/statement.ts';
import { managedEventId } from '../../events/panel-queries.ts';
import { ownEventId } from '../../events/queries.ts';
import { BY_BIB, keptFrom, targetOf } from '../sql.ts';
import { WRITE_BUDGET_MS } from '../upload/store.ts';
import { batchOf, TOUCHED, withVersions } from './changed-results.ts';
import type { OfBatch } from './queries.ts';
import { KEPT_ROWS_MAX } from './schemas.ts';

/** The effect of a revert, or of its dry run. */
const reversal = () =>
  z.strictObject({
    batch_id: z.nullable(z.guid()),
    restored: z.int(),
    removed: z.int(),
    reinstated: z.int(),
    already_reverted: z.int(),
    kept: z.int(),
    kept_rows: z.array(
      z.strictObject({
        inscription_id: z.guid(),
        bib_number: z.nullable(z.string()),
        batch_id: z.nullable(z.guid()),
      }),
    ),
  });

export type Reversal = z.output<ReturnType<typeof reversal>>;

/** The caller who takes a batch back, in SQL. */
type Reverter = {
  /** The id of the event; null if it is not theirs. */
  ownEvent: (eventId: Slot) => SQL;
  /** The id and the prefix of the key that the revert is recorded with. */
  key: (batchId: Slot) => { id: SQL; prefix: SQL };
  userId: SQL;
};

const KEY: Reverter = {
  ownEvent: ownEventId,
  key: () => ({ id: callerKeyId, prefix: callerKeyPrefix }),
  userId: sql`null`,
};

const MEMBER: Reverter = {
  ownEvent: managedEventId,
  key: (batchId) => {
    const ofBatch = sql`select api_key_id from result_batches where id = ${batchId}::uuid`;
    return {
      id: sql`select id from api_keys where id = (${ofBatch})`,
      prefix: sql`select key_prefix from result_batches where id = ${batchId}::uuid`,
    };
  },
  userId: sql`${memberUserId}`,
};

/**
 * Takes a batch back in one statement: each result that is still as the batch left it becomes what it was
 * before, and disappears if there was none. Answers one row, or none if the batch is not the caller's.
 * A result that the revert replaces is kept like one that an upload replaces, so a revert can be reverted.
 *
 * A result comes back with its upload and its time, so earlier batches can be reverted afterwards.
 *
 * Locks are those of an upload, in the same order. If an upload replaces a result meanwhile, the counts do
 * not add up, and `transact` repeats the transaction.
 */
const takeBack = ({ ownEvent, key, userId }: Reverter) =>
  statement(reversal, ({ eventId, batchId, revertId }: Slots<OfBatch & { revertId: string }>) => {
    const { id: keyId, prefix } = key(batchId);
    const revert = sql`${revertId}::uuid`;
    return sql`
    with ${targetOf(ownEvent(eventId), sql`(${keyId})`)},
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
    ${writeReversal(revert)},
    -- The revert as a batch, if it changes anything.
    recorded as (
      insert into result_batches (
        id, event_id, api_key_id, key_prefix, user_id, source, reverts, reverted_upload, upload_stands,
        total_processed, uploaded, updated, removed, not_found, errors, duplicates
      )
      select ${revert}, batch.event_id, api_key_id, (${prefix}), ${userId}::text, 'revert', batch.id, upload_id, not upload_stands,
        (select count(*) from change where is_current), (select count(*) from reinstated),
        (select count(*) from restored), (select count(*) from removed), 0, 0, 0
      from batch, target
      where exists (select from change where is_current)
      returning id
    )
    ${countReversal(sql`(select id from recorded)`)}`;
  });

/** CTEs that write what the CTEs `replaced` and `change` say. */
const writeReversal = (revert: SQL): SQL => sql`
    ${keptFrom('replaced', revert)},
    -- Results that have one from before the batch.
    restored as (
      update results result set
        batch_id = (before).batch_id,
        restored_by = ${revert},
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
      select registration_id, (select event_id from batch), (before).batch_id, ${revert},
        (before).status, (before).chip_time_ms, (before).gun_time_ms, (before).splits,
        (before).first_finished_at, (before).updated_at
      from change
      where is_current and (stored).batch_id is null
      order by registration_id
      on conflict do nothing
      returning 1
    )`;

/** Answers what `takeBack` would, and writes nothing. `batch_id` is null. */
const compareWithBatch = ({ ownEvent }: Reverter) =>
  statement(
    reversal,
    ({ eventId, batchId }: Slots<OfBatch>) => sql`
    with ${batchOf(batchId, ownEvent(eventId))},
    ${TOUCHED},
    change as materialized (${withVersions(sql`touched`)})
    ${countReversal(sql`null::uuid`)}`,
  );

/** Counts the CTE `change`. */
const countReversal = (revertId: SQL): SQL => sql`
  select ${revertId} as batch_id,
    count(*) filter (
      where is_current and (stored).batch_id is not null and (before).batch_id is not null
    )::int as restored,
    count(*) filter (where is_current and (before).batch_id is null)::int as removed,
    count(*) filter (where is_current and (stored).batch_id is null)::int as reinstated,
    count(*) filter (where is_undone)::int as already_reverted,
    count(*) filter (where not is_current and not is_undone)::int as kept,
    coalesce((
      select json_agg(kept) from (
        select registration_id as inscription_id, bib_number, holder as batch_id from change where not is_current and not is_undone
        order by ${BY_BIB}, registration_id limit ${KEPT_ROWS_MAX}
      ) kept
    ), '[]') as kept_rows
  from batch left join change on true
  group by batch.id`;

/** Reverts a batch; a dry run only says what the revert would do. */
const reverter = (who: Reverter) => {
  const [write, compare] = [takeBack(who), compareWithBatch(who)];
  return (batch: OfBatch, isDryRun: boolean) => ({
    ...(isDryRun ? compare(batch) : write({ ...batch, revertId: crypto.randomUUID() })),
    budgetMs: WRITE_BUDGET_MS,
  });
};

/** With an API key. */
export const revertBatch = reverter(KEY);

/** In the organization's panel. The revert is recorded with the key of the batch, and with the user. */
export const revertBatchAsMember = reverter(MEMBER);
