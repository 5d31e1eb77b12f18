import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Slots, statement } from '../../db/statement.ts';
import { bySender, type SenderKind } from '../sender.ts';
import { contentOf, keptFrom, storedResult } from '../sql.ts';
import { WRITE_BUDGET_MS } from '../upload/store.ts';

type Deletion = { eventId: string; bib: string; batchId: string; reason: string | null };

const deletedRow = () =>
  z.strictObject({
    batch_id: z.guid(),
    inscription_id: z.guid(),
    bib_number: z.string(),
    before: storedResult(),
  });

/**
 * Deletes the result of one bib, as a batch that can be reverted. Answers one row, or none if the event is not
 * the caller's or has no such result; then nothing is written. Locks are those of an upload. If an upload
 * replaces the result meanwhile, the counts do not add up, and `transact` repeats the transaction.
 */
export const deleteResult = (values: Deletion, by: SenderKind) => ({
  ...takeAway[by](values),
  budgetMs: WRITE_BUDGET_MS,
});

const takeAway = bySender(({ target, userId }) =>
  statement(
    deletedRow,
    ({ eventId, bib, batchId, reason }: Slots<Deletion>) => sql`
    with target as materialized (${target(eventId)}),
    -- Nobody deletes the registration or changes its bib before the end.
    runner as materialized (
      select id as registration_id, bib_number from registrations
      where event_id = (select event_id from target) and bib_number = ${bib}
      for key share
    ),
    -- The runner's result, locked.
    deletable as materialized (
      select result from runner cross join lateral (
        select * from results where registration_id = runner.registration_id for update
      ) result
    ),
    ${keptFrom('deletable', batchId)},
    -- Takes the result away, unless an upload replaced it meanwhile.
    removed as (
      delete from results stored using deletable
      where stored.registration_id = (result).registration_id
        and stored.event_id = (select event_id from target)
      returning 1
    ),
    -- The deletion as a batch. It draws its place among the batches after the lock.
    recorded as (
      insert into result_batches (
        id, event_id, api_key_id, key_prefix, user_id, source, reason, deleted_registration,
        total_processed, uploaded, updated, removed, not_found, errors, duplicates
      )
      select ${batchId}::uuid, event_id, api_key_id, key_prefix, ${userId}::text, 'delete',
        ${reason}::text, (result).registration_id, 1, 0, 0, (select count(*) from removed), 0, 0, 0
      from target, deletable
      returning id
    )
    select recorded.id as batch_id, registration_id as inscription_id, bib_number,
      ${contentOf('result')} as before
    from recorded, runner, deletable`,
  ),
);
