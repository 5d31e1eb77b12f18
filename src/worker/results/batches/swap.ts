import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Slot, type Slots, statement, total } from '../../db/statement.ts';
import { bySender, type SenderKind } from '../sender.ts';
import { contentOf, keptFrom, storedResult } from '../sql.ts';
import { WRITE_BUDGET_MS } from '../upload/store.ts';

type Swap = {
  eventId: string;
  bib: string;
  otherBib: string;
  batchId: string;
  reason: string | null;
  /** Nothing is written. */
  isDry: boolean;
};

const swappedRow = () =>
  z.strictObject({
    /** Null if nothing was written: a dry run, or neither has a result. */
    batch_id: z.nullable(z.guid()),
    /** Those of the bibs that are runners of the event. */
    bibs: z.array(z.string()),
    results: z.array(
      z.strictObject({
        inscription_id: z.guid(),
        bib_number: z.string(),
        before: z.nullable(storedResult()),
        after: z.nullable(storedResult()),
      }),
    ),
    passings: z.int(),
  });

type OfBibs = Pick<Swap, 'eventId' | 'bib' | 'otherBib'>;

/**
 * Locks what two runners have, so that the statement after it sees what another swap has left. Within one statement, the
 * passings would be read as they were before the wait.
 */
export const lockForSwap = bySender(({ ownEvent }) =>
  statement(
    total,
    ({ eventId, bib, otherBib }: Slots<OfBibs>) => sql`
    with runner as materialized (
      select id from registrations
      where event_id = ${ownEvent(eventId)} and bib_number in (${bib}, ${otherBib})
    ),
    locked_results as materialized (
      select registration_id from results where registration_id in (select id from runner)
      order by registration_id for update
    ),
    locked_passings as materialized (
      select registration_id from passings where registration_id in (select id from runner)
        and (select count(*) from locked_results) >= 0
      order by registration_id, point for update
    )
    select (select count(*) from locked_results)::int + (select count(*) from locked_passings)::int as total`,
  ),
);

/**
 * Gives each of two runners the result of the other one, splits and passings included, as one batch that can be
 * reverted. Answers one row, or none if the event is not the caller's. A result is as old as it was: it keeps when it
 * first was a finish.
 *
 * Locks are those of an upload, in the same order. If one stores a result meanwhile, the counts do not add up, and
 * `transact` repeats the transaction.
 */
export const swapResults = (values: Swap, by: SenderKind) => ({
  ...swap[by](values),
  budgetMs: WRITE_BUDGET_MS,
});

const swap = bySender(({ target, userId }) =>
  statement(
    swappedRow,
    ({ eventId, bib, otherBib, batchId, reason, isDry }: Slots<Swap>) => sql`
    with target as materialized (${target(eventId)}),
    -- Nobody deletes the registrations or changes their bibs before the end.
    runner as materialized (
      select id as registration_id, bib_number from registrations
      where event_id = (select event_id from target) and bib_number in (${bib}, ${otherBib})
      order by id for key share
    ),
    pair as materialized (
      select own.*, other.registration_id as other_id
      from runner own join runner other on other.registration_id <> own.registration_id
    ),
    -- Their results, locked.
    stored as materialized (
      select result from (select * from pair order by registration_id offset 0) pair
      cross join lateral (
        select * from results where registration_id = pair.registration_id for update
      ) result
    ),
    -- What each has, and gets.
    swapped as materialized (
      select pair.*, own.result, given.result as after
      from pair
      left join stored own on (own.result).registration_id = pair.registration_id
      left join stored given on (given.result).registration_id = pair.other_id
      where exists (select from stored)
    ),
    changed as materialized (select * from swapped where not ${isDry}::boolean),
    ${keptFrom('changed', batchId)},
    updated as (
      update results result set ${contentAfter(batchId)}
      from changed
      where result.registration_id = changed.registration_id
        and result.event_id = (select event_id from target)
        and (changed.result).registration_id is not null and (after).registration_id is not null
      returning 1
    ),
    -- One that another upload inserts at the same time is left out.
    inserted as (
      insert into results
        (registration_id, event_id, batch_id, status, chip_time_ms, gun_time_ms, splits, first_finished_at)
      select registration_id, (select event_id from target), ${batchId}::uuid, (after).status,
        (after).chip_time_ms, (after).gun_time_ms, (after).splits, (after).first_finished_at
      from changed
      where (result).registration_id is null
      on conflict (registration_id) do nothing
      returning 1
    ),
    removed as (
      delete from results stored using changed
      where stored.registration_id = changed.registration_id
        and stored.event_id = (select event_id from target) and (after).registration_id is null
      returning 1
    ),
    ${swapPassings('changed', sql`select event_id from target`)},
    -- The swap as a batch. It draws its place among the batches after the locks.
    recorded as (
      insert into result_batches (
        id, event_id, api_key_id, key_prefix, user_id, source, reason, is_by_hand,
        swapped_registrations, swapped_passings,
        total_processed, uploaded, updated, removed, not_found, errors, duplicates
      )
      select ${batchId}::uuid, event_id, api_key_id, key_prefix, ${userId}::text, 'json',
        ${reason}::text, true, array(select registration_id from changed order by registration_id),
        (select count(*) from passed), results, inserted, updated, removed, 0, 0, 0
      from target,
        (select count(*) as results from changed) changed,
        (select count(*) as inserted from inserted) inserted,
        (select count(*) as updated from updated) updated,
        (select count(*) as removed from removed) removed
      where results > 0
      returning id
    )
    select (select id from recorded) as batch_id, (select coalesce(json_agg(bib_number), '[]') from runner) as bibs,
      coalesce((
        select json_agg(json_build_object('inscription_id', registration_id, 'bib_number', bib_number,
          'before', ${contentOrNull('result')}, 'after', ${contentOrNull('after')})
          order by bib_number <> ${bib})
        from swapped
      ), '[]') as results,
      (
        select count(*)::int from passings
        where registration_id in (select registration_id from swapped)
          and event_id = (select event_id from target)
      ) as passings
    from target`,
  ),
);

const contentOrNull = (row: 'result' | 'after'): SQL =>
  sql`case when (${sql.raw(row)}).registration_id is not null then ${contentOf(row)} end`;

const contentAfter = (batchId: Slot): SQL => sql`
        batch_id = ${batchId}::uuid,
        restored_by = null,
        status = (after).status,
        chip_time_ms = (after).chip_time_ms,
        gun_time_ms = (after).gun_time_ms,
        splits = (after).splits,
        first_finished_at = (after).first_finished_at,
        updated_at = now()`;

/**
 * The CTE `passed`: the passings of two runners, each given to the other one. At a point that both have passed, the rows
 * swap their times: a row that moved there would meet the other one.
 * @param pairs a CTE with `registration_id` and `other_id`
 */
export const swapPassings = (pairs: 'changed' | 'swapped_back', eventId: SQL): SQL => sql`
    passed as (
      update passings passing set
        registration_id = case when other.point is null then own.other_id else passing.registration_id end,
        time_ms = coalesce(other.time_ms, passing.time_ms),
        received_at = now()
      from (
        select pair.other_id, passings.registration_id, passings.point
        from ${sql.raw(pairs)} pair join passings using (registration_id)
        where passings.event_id = (${eventId})
      ) own
      left join passings other
        on other.registration_id = own.other_id and other.point = own.point
        and other.event_id = (${eventId})
      where passing.registration_id = own.registration_id and passing.point = own.point
        and passing.event_id = (${eventId})
      returning 1
    )`;
