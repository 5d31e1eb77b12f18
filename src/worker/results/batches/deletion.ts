import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Slots, statement } from '../../db/statement.ts';
import { applyChange } from '../change.ts';
import { bySender } from '../sender.ts';
import { contentOf, storedResult } from '../sql.ts';

type Deletion = { eventId: string; bib: string; batchId: string; reason: string | null };

const deletedRow = () =>
  z.strictObject({
    batch_id: z.guid(),
    inscription_id: z.guid(),
    bib_number: z.string(),
    before: storedResult(),
  });

/**
 * Deletes a bib's result, as a batch that can be reverted. Answers a row, or none if the event is not the caller's or
 * has no such result; then nothing is written. The locks are the locks of an upload.
 */
export const deleteResult = bySender(({ kind, target, userId }) =>
  statement(
    `deleteResult.${kind}`,
    deletedRow,
    ({ eventId, bib, batchId, reason }: Slots<Deletion>) => sql`
    with target as materialized (${target(eventId)}),
    -- No transaction deletes the registration or changes its bib before the end.
    runner as materialized (
      select id as registration_id, bib_number from registrations
      where event_id = (select event_id from target) and bib_number = ${bib}
      for key share
    ),
    -- The runner's result, locked.
    changed as materialized (
      select runner.*, result from runner cross join lateral (
        select * from results where registration_id = runner.registration_id for update
      ) result
    ),
    ${applyChange({
      batchId,
      facts: {
        user_id: sql`${userId}::text`,
        source: sql`'delete'`,
        reason: sql`${reason}::text`,
        deleted_registration: sql`(select registration_id from changed)`,
        total_processed: sql`1`,
      },
      when: sql`exists (select from changed)`,
      withdraws: 'removed',
    })}
    select recorded.id as batch_id, registration_id as inscription_id, bib_number,
      ${contentOf('result')} as before
    from recorded, changed`,
  ),
);
