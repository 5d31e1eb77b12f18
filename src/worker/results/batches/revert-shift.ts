import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { START_JSON } from '../../db/starts.ts';
import { type Slots, statement } from '../../db/statement.ts';
import { bySender } from '../sender.ts';
import { batchOf } from './changed-results.ts';
import type { OfBatch } from './queries.ts';

/** A start in the JSON of `start_shift`. */
const STARTS_AT = sql`(wanted ->> 'starts_at')`;

/**
 * Completes the revert of a shift: the start and the passings become what they were before the batch, except for those
 * that somebody changed since. Does nothing after the revert of another batch, or of one that took nothing back.
 */
export const revertShift = bySender(({ target, userId, kind }) =>
  statement(
    `revertShift.${kind}`,
    () => z.strictObject({ passings: z.int() }),
    ({ eventId, batchId, revertId }: Slots<OfBatch & { revertId: string }>) => sql`
    with target as materialized (${target(eventId)}),
    ${batchOf(batchId, sql`select event_id from target`)},
    revert as materialized (
      select batch.*, start_shift, origin.id as shift_id,
        case when batch.upload_stands then start_shift -> 'before' else start_shift -> 'after' end as wanted,
        case when batch.upload_stands then start_shift -> 'after' else start_shift -> 'before' end as left_as
      from batch join result_batches origin on origin.id = batch.upload_id and origin.source = 'shift'
      where exists (select from result_batches where id = ${revertId}::uuid)
    ),
    -- The upload of each passing that the batch left.
    before as materialized (
      select replaced.registration_id, replaced.point, replaced.time_ms, replaced.upload_id, replaced.received_at,
        case when revert.id = shift_id then shift_id else brought_back.upload_id end as left_upload_id
      from revert join replaced_passings replaced on replaced.replaced_by = revert.id
      left join replaced_passings brought_back on brought_back.replaced_by = revert.reverts
        and brought_back.registration_id = replaced.registration_id and brought_back.point = replaced.point
    ),
    current as materialized (
      select before.*, stored.*
      from (select * from before order by registration_id, point offset 0) before
      cross join lateral (
        select time_ms as stored_ms, received_at as stored_at from passings
        where registration_id = before.registration_id and event_id = (select event_id from target)
          and point = before.point and upload_id = left_upload_id
        for update
      ) stored
    ),
    kept as (
      insert into replaced_passings (registration_id, point, time_ms, upload_id, replaced_by, received_at)
      select registration_id, point, stored_ms, left_upload_id, ${revertId}::uuid, stored_at from current
    ),
    marked as (
      insert into withdrawn_passings (registration_id, point, upload_id, time_ms, left_upload_id)
      select registration_id, point, ${revertId}::uuid, stored_ms, upload_id from current
    ),
    restored as (
      update passings stored set time_ms = current.time_ms, upload_id = current.upload_id
      from current
      where stored.registration_id = current.registration_id and stored.point = current.point
        and stored.event_id = (select event_id from target)
      returning 1
    ),
    recorded as (
      insert into passing_uploads (id, event_id, api_key_id, key_prefix, user_id, source, reverts, total_processed,
        uploaded, updated, not_found, errors, duplicates)
      select ${revertId}::uuid, target.event_id, api_key_id, key_prefix, ${userId}::text, 'revert', revert.id,
        count, 0, count, 0, 0, 0
      from target cross join revert, (select count(*)::int as count from restored) restored where count > 0
    ),
    start as materialized (
      select event_starts.ordinal from event_starts cross join revert
      where event_starts.event_id = (select event_id from target)
        and (name, distance, bib_from, bib_to, starts_at) is not distinct from (
          left_as ->> 'name', left_as ->> 'distance', (left_as ->> 'bib_from')::bigint, (left_as ->> 'bib_to')::bigint,
          (left_as ->> 'starts_at')::timestamptz
        )
    ),
    told as materialized (
      select json_agg(${START_JSON} order by ordinal) as before,
        json_agg(case when ordinal = (select ordinal from start)
          then (select wanted::json from revert) else ${START_JSON} end
          order by ordinal) as after
      from event_starts where event_id = (select event_id from target) and exists (select from start)
    ),
    started as (
      update event_starts set starts_at = ${STARTS_AT}::timestamptz,
        utc_offset_minutes = extract(epoch from substring(${STARTS_AT} from '[+-]\\d\\d:\\d\\d$')::interval) / 60
      from start, revert
      where event_starts.event_id = (select event_id from target) and event_starts.ordinal = start.ordinal
    ),
    versioned as (
      update event_settings set starts_version = starts_version + 1
      where event_id = (select event_id from target) and exists (select from start)
    ),
    noted as (
      insert into event_changes (event_id, kind, before, after, user_id, api_key_id, key_prefix)
      select event_id, 'starts', before::text, after::text, ${userId}::text, api_key_id, key_prefix
      from target, told where exists (select from start)
    )
    select (select count(*)::int from restored) as passings from target`,
  ),
);
