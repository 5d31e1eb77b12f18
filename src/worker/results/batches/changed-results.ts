import { type SQL, sql } from 'drizzle-orm';
import type { Slot } from '../../db/statement.ts';

/**
 * The CTE `batch`: one batch of the event, with the upload or the deletion that it goes back to. Empty if
 * the event has no such batch. Only a revert and a deletion may leave no result.
 */
export const batchOf = (batchId: Slot, eventId: SQL): SQL => sql`
  batch as materialized (
    select batch.id, batch.event_id, origin.id as upload_id, batch.upload_stands,
      origin.deleted_registration, batch.source in ('revert', 'delete') as may_remove
    from result_batches batch
    join result_batches origin on origin.id = coalesce(batch.reverted_upload, batch.id)
    where batch.id = ${batchId}::uuid and batch.event_id = (${eventId})
  )`;

/**
 * The CTE `touched`: the registrations whose result the batch changed. A result names the upload that it
 * comes from and the revert that brought it back. A revert also took results of the upload away. A deletion
 * and its reverts are about one registration.
 */
export const TOUCHED = sql`
  touched as materialized (
    select registration.id as registration_id, registration.bib_number
    from (
      select registration_id from results where batch_id = (select id from batch)
      union select registration_id from results where restored_by = (select id from batch)
      union select registration_id from replaced_results where batch_id = (select id from batch)
      union select registration_id from replaced_results where restored_by = (select id from batch)
      union select registration_id from replaced_results
      where batch_id = (select upload_id from batch) and replaced_by = (select id from batch)
      union select deleted_registration from batch
    ) changed
    cross join lateral (
      select id, bib_number from registrations
      where id = changed.registration_id and event_id = (select event_id from batch) offset 0
    ) registration
  )`;

const IS_OF_BATCH = sql`(select id from batch) in (batch_id, restored_by)`;

/** Columns of `results` and `replaced_results` that say what a result was. */
const VERSION = sql.raw(
  'batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, first_finished_at, updated_at',
);

/**
 * Rows of `touched`, each with the result that is `stored`, the one `before` the batch and the one `after`
 * it. An upload stores one result for a registration, so its id tells equal results apart from others.
 * - `is_current`: the stored result equals the one after the batch. A revert may have
 *   left none.
 * - `is_undone`: it is the one before the batch.
 * - `holder`: the batch that stored the result, brought it back or took it away.
 */
export const withVersions = (touched: SQL): SQL => sql`
  select touched.*, stored, before, after,
    coalesce(stored.restored_by, stored.batch_id, latest.replaced_by) as holder,
    is_current, not is_current and stored.batch_id is not distinct from before.batch_id as is_undone
  from ${touched} touched
  left join lateral (
    select ${VERSION} from results where registration_id = touched.registration_id offset 0
  ) stored on true
  left join lateral (
    select ${VERSION} from replaced_results
    where registration_id = touched.registration_id and replaced_by = (select id from batch) offset 0
  ) before on true
  left join lateral (
    select ${VERSION} from results
    where registration_id = touched.registration_id and ${IS_OF_BATCH}
    union all
    select ${VERSION} from replaced_results
    where registration_id = touched.registration_id and ${IS_OF_BATCH}
    limit 1
  ) after on true
  left join lateral (
    select replaced_by from replaced_results
    where registration_id = touched.registration_id and stored.batch_id is null
    order by id desc limit 1
  ) latest on true
  cross join lateral (
    select stored.batch_id is not distinct from after.batch_id
      and (stored.batch_id is not null or (select may_remove from batch)) as is_current
  ) compared`;
