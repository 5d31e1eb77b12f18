import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Slots, statement } from '../../db/statement.ts';
import { applyChange } from '../change.ts';
import { bySender } from '../sender.ts';
import { contentOrNull, storedResult } from '../sql.ts';

export type Swap = {
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
    /** The bibs with a runner of the event. */
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

/**
 * Swaps the results of two runners, splits and passings included, as a batch that can be reverted. Answers a row, or
 * none if the event is not the caller's. `first_finished_at` moves with the result.
 *
 * The locks are the locks of an upload, in the order of an upload.
 */
export const swapResults = bySender(({ kind, target, userId }) =>
  statement(
    `swapResults.${kind}`,
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
    -- The result of each runner before and after the swap.
    swapped as materialized (
      select pair.*, own.result, given.result as after
      from pair
      left join stored own on (own.result).registration_id = pair.registration_id
      left join stored given on (given.result).registration_id = pair.other_id
      where exists (select from stored)
    ),
    changed as materialized (select * from swapped where not ${isDry}::boolean),
    ${swapPassings('changed', sql`select event_id from target`)},
    ${applyChange({
      batchId,
      after: {
        of: 'after',
        set: {
          batch_id: sql`${batchId}::uuid`,
          restored_by: sql`null`,
          decided_by_person: sql`true`,
          updated_at: sql`now()`,
        },
      },
      facts: {
        user_id: sql`${userId}::text`,
        source: sql`'json'`,
        reason: sql`${reason}::text`,
        is_by_hand: sql`true`,
        swapped_registrations: sql`array(select registration_id from changed order by registration_id)`,
        swapped_passings: sql`(select count(*) from passed)`,
        total_processed: sql`(select count(*) from changed)`,
      },
      when: sql`exists (select from changed)`,
      withdraws: 'removed',
    })}
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

/**
 * The CTE `passed`: the passings of two runners, exchanged. At a point with passings of both runners, the rows swap
 * their times: a moved row would meet the row of the partner.
 * @param pairs a CTE with `registration_id` and `other_id`
 */
export const swapPassings = (pairs: 'changed' | 'swapped_back', eventId: SQL): SQL => sql`
    passed as (
      update passings passing set
        registration_id = case when other.point is null then own.other_id else passing.registration_id end,
        time_ms = coalesce(other.time_ms, passing.time_ms),
        upload_id = coalesce(other.upload_id, passing.upload_id),
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
