import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';

/**
 * Whether a person decided a batch: a revert, a deletion, a correction in the panel, or a batch whose sender says so. A
 * file from the panel is a file.
 */
export const IS_BY_HAND = sql`(result_batches.is_by_hand or result_batches.source in ('revert', 'delete')
          or (result_batches.source = 'json' and result_batches.user_id is not null))`;

/** Batches with more rows do not name their runners. */
const NAMED_ROWS_MAX = sql.raw('2');

/** Whether a person changed the results of one or two runners. */
export const IS_ABOUT_FEW: SQL = sql`(${IS_BY_HAND} and result_batches.total_processed <= ${NAMED_ROWS_MAX})`;

export const batchRunners = () =>
  z.array(
    z.strictObject({
      bib_number: z.nullable(z.string()),
      given_names: z.nullable(z.string()),
      surnames: z.nullable(z.string()),
    }),
  );

/** The runners of a row of `result_batches`, by bib: for a batch of one or two rows that a person decided. */
export const BATCH_RUNNERS: SQL = sql`coalesce((
      select json_agg(runner order by char_length(bib_number), bib_number collate "C")
      from (
        select origin.deleted_registration as registration_id
        from result_batches origin
        where origin.id = coalesce(result_batches.reverted_upload, result_batches.id)
        union select registration_id from results
        where batch_id = coalesce(result_batches.reverted_upload, result_batches.id)
        union select registration_id from replaced_results
        where batch_id = coalesce(result_batches.reverted_upload, result_batches.id)
        union select unnest(result_batches.swapped_registrations)
      ) touched
      cross join lateral (
        select bib_number, given_names, surnames from registrations
        where id = touched.registration_id and event_id = result_batches.event_id offset 0
      ) runner
      where ${IS_ABOUT_FEW}
    ), '[]')`;

/** Whether a row of `result_batches` swapped the results of two runners. */
export const IS_SWAP: SQL = sql`result_batches.swapped_registrations is not null`;
