import { type SQL, sql } from 'drizzle-orm';
import type { Slot } from '../../db/statement.ts';

/**
 * The CTE `batch`: a batch of the event, with the upload or the deletion behind the batch. Empty if the event has no
 * such batch.
 */
export const batchOf = (batchId: Slot, eventId: SQL): SQL => sql`
  batch as materialized (
    select batch.id, batch.event_id, origin.id as upload_id, batch.upload_stands, batch.reverts,
      origin.source = 'shift' as is_of_shift,
      origin.deleted_registration, origin.swapped_registrations, origin.swapped_passings,
      batch.effect_order
    from result_batches batch
    join result_batches origin on origin.id = coalesce(batch.reverted_upload, batch.id)
    where batch.id = ${batchId}::uuid and batch.event_id = (${eventId})
  )`;

/**
 * The CTE `touched`: the registrations whose results the batches of the CTE `batch` changed. A result names its upload
 * and the revert that restored the result. A revert also took results of the upload away. A deletion and its reverts
 * change a single registration.
 */
export const TOUCHED = sql`
  touched as materialized (
    select distinct registration.id as registration_id, registration.bib_number
    from batch
    cross join lateral (
      select registration_id from results where batch_id = batch.id
      union select registration_id from results where restored_by = batch.id
      union select registration_id from replaced_results where batch_id = batch.id
      union select registration_id from replaced_results where restored_by = batch.id
      union select registration_id from replaced_results
      where batch_id = batch.upload_id and replaced_by = batch.id
      union select batch.deleted_registration
      union select unnest(batch.swapped_registrations)
    ) changed
    cross join lateral (
      select id, bib_number from registrations
      where id = changed.registration_id and event_id = batch.event_id offset 0
    ) registration
  )`;
