import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { lengthKm, limitsMs } from '../../../timing-files/read/distance.ts';
import { RESULT_STATUSES } from '../../../timing-files/read/result-status.ts';
import { type Slots, statement } from '../../db/statement.ts';
import { type Asking, isBeforeStart, isOwn, isSecond, leftOut, sortRows } from '../leave.ts';
import { LEFT_REASONS } from '../left-reasons.ts';
import { bySender, type Sender, type SenderKind } from '../sender.ts';
import { isRanked } from '../sql.ts';
import type { Batch } from './batch.ts';
import { type RowValues, rowsOf, splitsOf } from './row-values.ts';

const text = () => z.nullable(z.string());
const timeMs = () => z.nullable(z.int());

const leftItems = () =>
  [
    z.int(),
    z.string(),
    z.enum(LEFT_REASONS),
    z.nullable(z.enum(RESULT_STATUSES)),
    timeMs(),
    timeMs(),
    text(),
    text(),
  ] as const;

/** A left row: its ordinal in `loadable`, bib and reason; the stored status and times; who and when. */
export const leftRow = () => z.tuple(leftItems());

export type LeftRow = z.output<ReturnType<typeof leftRow>>;

/** A left row of a preview, with `namesOfLeft`. */
const previewedLeftRow = () => z.tuple(leftItems(), text());

export type PreviewedLeftRow = z.output<ReturnType<typeof previewedLeftRow>>;

/** The limits of finish times by distance, as JSON. Distances whose name says no length have none. */
export const limitsOf = (distances: readonly string[]): string =>
  JSON.stringify(
    distances.flatMap((distance) => {
      const km = lengthKm(distance);
      return km === undefined ? [] : [{ distance, ...limitsMs(km) }];
    }),
  );

const FINISH_MS = sql`coalesce(seen.chip_time_ms, seen.gun_time_ms)`;
const IS_STORED = sql`(result).registration_id is not null`;
const STORED_BY = sql`coalesce((result).restored_by, (result).batch_id)`;

/** The CTE `seen`: the rows of `candidate` with known facts. */
const seen = ({ decided }: Slots<Asking>): SQL => sql`
    seen as materialized (
      select candidate.*, ${decided ? sql`deleted_by, taken_back_by` : sql`null::uuid as deleted_by, null::uuid as taken_back_by`},
        greatest(candidate.chip_time_ms - (result).chip_time_ms, candidate.gun_time_ms - (result).gun_time_ms) as later_ms
      from candidate
      ${decided ? TAKEN_AWAY : sql``}
    )`;

/**
 * The deletion of a result by hand, and the batch that removed the sent result. A revert may have restored another
 * result.
 */
const TAKEN_AWAY = sql`left join lateral (
        select batch_id as deleted_by from result_deletions
        where registration_id = candidate.registration_id and (candidate.result).registration_id is null
      ) deletion on true
      left join lateral (
        select replaced_by as taken_back_by from (
          select replaced_by, status, chip_time_ms, gun_time_ms from replaced_results
          where registration_id = candidate.registration_id order by id desc limit 1
        ) latest
        where (latest.status, latest.chip_time_ms, latest.gun_time_ms)
            is not distinct from (candidate.status, candidate.chip_time_ms, candidate.gun_time_ms)
          and ((candidate.result).registration_id is null
            or replaced_by = coalesce((candidate.result).restored_by, (candidate.result).batch_id))
          and exists (select from result_batches where id = replaced_by and source in ('revert', 'shift'))
      ) reversal on true`;

/**
 * CTEs from `candidate`, the rows that differ from the stored results, to `sorted`: these rows with the reason for
 * leaving a row to a person, or null. `left_out` has the left rows.
 */
export function leftRows(asking: Slots<Asking>, { userId }: Sender, previewed?: Sender): SQL {
  const { decided, impossible, others, many, limits, leaver } = asking;
  const reasons = [
    ...(decided ? [DECIDED] : []),
    ...(impossible ? [impossibleReasons(limits !== undefined)] : []),
    ...(others
      ? [
          sql`when ${IS_STORED} and (result).batch_id not in (select id from own) then 'of_another_sender'`,
        ]
      : []),
  ];
  const ofSender = isOwn({ leaver, userId });
  const stored = leaver
    ? sql`
        select from result_batches batch
        cross join lateral (
          select from results where batch_id = batch.id and event_id = batch.event_id offset 0
        ) result
        where batch.event_id = (select event_id from target) and ${ofSender}`
    : sql`select from results where event_id = (select event_id from target)`;
  return sql`
    ${
      limits === undefined
        ? sql``
        : sql`limits as materialized (
      select * from json_to_recordset(${limits}::json) as of (distance text, "fastestMs" float8, "slowestMs" float8)
    ),`
    }
    ${others ? ownBatches(ofSender) : sql``}
    ${seen(asking)},
    judged as materialized (
      select seen.*, ${reasons.length === 0 ? sql`null::text` : sql`case ${sql.join(reasons, sql` `)} end`} as reason,
        -- Added splits change no stored value.
        ${IS_STORED} and (
          (seen.status, seen.chip_time_ms, seen.gun_time_ms)
            is distinct from ((result).status, (result).chip_time_ms, (result).gun_time_ms)
          or not seen.splits @> (result).splits
        ) as is_change,
        coalesce(deleted_by, taken_back_by, ${STORED_BY}) as made_by
      from seen ${limits === undefined ? sql`` : sql`left join limits using (distance)`}
    ),
    ${sortRows(many !== undefined, stored)},
    ${leftOut('result_batches', sql`(result).status, (result).chip_time_ms, (result).gun_time_ms`, IS_STORED, previewed)}`;
}

const DECIDED = sql`
        when (result).decided_by_person then 'decided_by_person'
        when deleted_by is not null then 'deleted_by_person'
        when (result).status = 'DSQ' and ${isRanked(sql`seen.status`)} then 'disqualified'
        when taken_back_by is not null then 'taken_back'`;

const impossibleReasons = (hasLimits: boolean): SQL => sql`
        ${
          hasLimits
            ? sql`
        when ${isRanked(sql`seen.status`)} and ${FINISH_MS} < "fastestMs" then 'too_fast'
        when ${isRanked(sql`seen.status`)} and ${FINISH_MS} > "slowestMs" then 'too_slow'`
            : sql``
        }
        when ${isSecond(sql`later_ms`)} then 'second_finish'
        when seen.status <> 'DNS' and ${isBeforeStart(sql`seen`)} then 'before_start'
        when seen.status = 'DNS' and exists (
          select from passings where passings.registration_id = seen.registration_id
        ) then 'dns_with_passing'`;

/** The CTE `own`: the batches of stored results that come from this sender. */
const ownBatches = (ofSender: SQL): SQL => sql`
    own as materialized (
      select asked.id from (select distinct (result).batch_id as id from candidate where ${IS_STORED}) asked
      cross join lateral (
        select from (select * from result_batches where id = asked.id offset 0) batch where ${ofSender}
      ) batch
    ),`;

const previewedRow = () =>
  z.strictObject({
    left_count: z.int(),
    left_new: z.int(),
    left_rows: z.array(previewedLeftRow()),
  });

/**
 * The rows that an upload of the batch would leave. Writes nothing and locks nothing. No row if the event is not the
 * caller's.
 */
export const previewLeft = (eventId: string, batch: Batch, asking: Asking, by: SenderKind) =>
  compareLeft[by]({ ...batch.loadable.values, ...asking, eventId });

const compareLeft = bySender((sender) =>
  statement(
    previewedRow,
    (batch: Slots<RowValues & Asking & { eventId: string }>) => sql`
    with target as materialized (
      select id as event_id, ${sender.keyId} as api_key_id from events where id = ${sender.ownEvent(batch.eventId)}
    ),
    input as materialized (select row.*, ${splitsOf(batch)} as splits from ${rowsOf(batch)}),
    candidate as materialized (
      select input.*, registration.id as registration_id, registration.event_id, registration.distance, result
      from input
        join registrations registration
          on registration.event_id = (select event_id from target)
          and registration.bib_number = input.bib_number
        left join results result on result.registration_id = registration.id
          and result.event_id = registration.event_id
      where (result.status, result.chip_time_ms, result.gun_time_ms, result.splits)
        is distinct from (input.status, input.chip_time_ms, input.gun_time_ms, input.splits)
    ),
    ${leftRows(batch, sender, sender)}
    select left_out.* from target, left_out`,
  ),
);
