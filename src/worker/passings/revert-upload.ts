import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { latestFirst } from '../db/sql.ts';
import { type OfEvent, type RowSchema, type Slots, statement } from '../db/statement.ts';
import { bySender } from '../results/sender.ts';
import type { PassingUploadReversal } from './answer-schemas.ts';
import { applyPassings, STORED_PASSING } from './change.ts';

type OfUpload = OfEvent & { uploadId: string };

const reversalRow = () =>
  z.strictObject({
    upload_id: z.nullable(z.guid()),
    reverts: z.guid(),
    dry_run: z.boolean(),
    restored: z.int(),
    removed: z.int(),
    reinstated: z.int(),
    already_reverted: z.int(),
    kept: z.int(),
  });

reversalRow satisfies RowSchema<PassingUploadReversal>;

/** Without the id of the revert, the statement answers the effect and writes nothing. */
type Reversal = OfUpload & { revertId?: string };

const EVENT_ID = sql`(select event_id from target)`;

/** A shift, and its revert, are taken back as batches of results, together with the start. */
const IS_OWN_ACT = sql`not exists (select from result_batches where result_batches.id = passing_uploads.id)`;

const SAME = sql`registration_id = touched.registration_id and point = touched.point`;

/** CTEs for the marks of a deletion: a revert ends the marks, and the revert of a revert brings the marks back. */
const DELETION_MARKS = sql`
    -- The chain of reverts down to its first upload.
    chain as (
      select id, source, reverts, 0 as length from upload
      union all
      select made.id, made.source, made.reverts, length + 1
      from chain join passing_uploads made on made.id = chain.reverts
    ),
    deletion as materialized (select id, length % 2 = 0 as stands from chain where source = 'delete'),
    unmarked as (
      delete from withdrawn_passings marks using changed, deletion
      where stands and marks.registration_id = changed.registration_id and marks.point = changed.point
        and marks.upload_id = deletion.id
    ),
    marked_again as (
      insert into withdrawn_passings (registration_id, point, upload_id)
      select registration_id, point, deletion.id from changed cross join deletion
      where not stands and changed.time_ms is null
    ),`;

/**
 * Reverts an upload of passings in a single statement: each passing still unchanged since the upload becomes the
 * passing before, and disappears without a passing before. A passing comes back with its own upload, so earlier uploads
 * can be reverted afterwards. Answers a row, or none if the upload is not the caller's.
 *
 * An upload left its own passings, a deletion left none, and a revert left the passings that the reverted upload had
 * replaced.
 */
export const revertUpload = bySender(({ target, userId, kind }) =>
  statement(
    `revertPassings.${kind}`,
    reversalRow,
    ({ eventId, uploadId, revertId }: Slots<Reversal>) => sql`
    with recursive target as materialized (${target(eventId)}),
    upload as materialized (
      select id, source, reverts, effect_order from passing_uploads
      where id = ${uploadId}::uuid and event_id = ${EVENT_ID} and ${IS_OWN_ACT}
    ),
    -- The passings replaced by the upload, and the passings restored by a revert.
    before as materialized (
      select registration_id, point, time_ms, upload_id from replaced_passings
      where replaced_by = (select id from upload)
    ),
    brought_back as materialized (
      select registration_id, point, upload_id from replaced_passings
      where replaced_by = (select reverts from upload)
    ),
    -- Passings replaced by a later upload are touched too.
    touched as materialized (
      select registration_id, point from before
      union select registration_id, point from brought_back
      union select registration_id, point from replaced_passings where upload_id = (select id from upload)
      union select registration_id, point from passings
      where event_id = ${EVENT_ID} and upload_id = (select id from upload)
    ),
    -- Runners with the passings of another runner: a later swap stands.
    swapped as materialized (
      select unnest(swapped_registrations) as registration_id from result_batches swap
      where event_id = ${EVENT_ID} and swapped_registrations is not null
        and effect_order > (select effect_order from upload)
        and coalesce((
          select upload_stands from result_batches
          where reverted_upload = swap.id order by ${latestFirst('result_batches')} limit 1
        ), true)
    ),
    -- Each passing in three states: now, locked; as the upload left the passing; and before the upload.
    state as materialized (
      select touched.*, before.time_ms, before.upload_id, stored.*,
        case upload.source when 'revert' then brought_back.upload_id when 'delete' then null else upload.id end
          as left_upload_id
      from (select * from touched order by registration_id, point offset 0) touched
      cross join lateral (
        select from registrations where id = touched.registration_id and event_id = ${EVENT_ID} for key share
      ) registration
      cross join upload
      left join before using (registration_id, point)
      left join brought_back using (registration_id, point)
      left join lateral (
        select ${STORED_PASSING} from passings where ${SAME} and event_id = ${EVENT_ID} for update
      ) stored on true
    ),
    judged as materialized (
      select *, is_own and stored_upload_id is not distinct from left_upload_id as is_current,
        is_own and stored_upload_id is distinct from left_upload_id and stored_upload_id is not distinct from upload_id
          as is_undone
      from (select *, registration_id not in (select registration_id from swapped) as is_own from state) state
    ),
    changed as materialized (select * from judged where is_current),
    ${
      revertId
        ? sql`${DELETION_MARKS}
    ${applyPassings({
      uploadId: revertId,
      facts: {
        user_id: sql`${userId}::text`,
        source: sql`'revert'`,
        reverts: sql`(select id from upload)`,
        total_processed: sql`(select count(*) from changed)`,
      },
      when: sql`exists (select from changed)`,
      withdraws: 'times',
    })}`
        : sql`recorded as (select null::uuid as id)`
    }
    select (select id from recorded) as upload_id, upload.id as reverts,
      ${revertId ? sql`false` : sql`true`} as dry_run,
      count(*) filter (where is_current and stored_ms is not null and time_ms is not null)::int as restored,
      count(*) filter (where is_current and time_ms is null)::int as removed,
      count(*) filter (where is_current and stored_ms is null)::int as reinstated,
      count(*) filter (where is_undone)::int as already_reverted,
      count(*) filter (where not is_current and not is_undone)::int as kept
    from upload left join judged on true
    group by upload.id`,
    { revertId: true },
  ),
);
