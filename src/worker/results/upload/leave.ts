import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { lengthKm, limitsMs } from '../../../timing-files/read/distance.ts';
import { RESULT_STATUSES } from '../../../timing-files/read/result-status.ts';
import { type Slot, type Slots, statement } from '../../db/statement.ts';
import { isOfAbsent, isRanked } from '../../db/statuses.ts';
import {
  ASKING,
  type Asking,
  isBeforeStart,
  isOfAnother,
  isOwn,
  isOwnOrMoved,
  isSecond,
  leftOut,
  leftRowOf,
  previewedRowOf,
  sortRows,
} from '../leave.ts';
import { bySender, type Sender, type SenderKind } from '../sender.ts';
import { hasPassing } from './after-correction.ts';
import type { Batch } from './batch.ts';
import { type RowValues, rowsOf, splitsOf } from './row-values.ts';

const timeMs = () => z.nullable(z.int());

/** The status and the times of a stored result. */
const stored = () => [z.nullable(z.enum(RESULT_STATUSES)), timeMs(), timeMs()] as const;

export const leftRow = () => leftRowOf(stored());

export type LeftRow = z.output<ReturnType<typeof leftRow>>;

const previewedRow = () => previewedRowOf(stored());

export type PreviewedLeftRow = z.output<ReturnType<typeof previewedRow>>['left_rows'][number];

/** The limits of finish times by distance, as JSON. Distances whose name says no length have none. */
export const limitsOf = (distances: readonly string[]): string =>
  JSON.stringify(
    Object.fromEntries(
      distances.flatMap((distance) => {
        const km = lengthKm(distance);
        return km === undefined ? [] : [[distance, limitsMs(km)]];
      }),
    ),
  );

const FINISH_MS = sql`coalesce(candidate.chip_time_ms, candidate.gun_time_ms)`;
const LATER_MS = sql`greatest(
  candidate.chip_time_ms - (result).chip_time_ms, candidate.gun_time_ms - (result).gun_time_ms)`;
const IS_STORED = sql`(result).registration_id is not null`;
const REPLACED = {
  table: 'replaced_results',
  batchId: sql`replaced.batch_id`,
  isOfRow: sql`replaced.registration_id = candidate.registration_id`,
} as const;
const STORED = sql`(result).status, (result).chip_time_ms, (result).gun_time_ms`;
const STORED_BY = sql`coalesce((result).restored_by, (result).batch_id)`;

/**
 * The deletion of a result by hand, and the act that took the sent result back. Both count without a stored result. An
 * act that took a result back also counts while a different stored result comes from such an act. A row that adds a
 * split to the stored result brings nothing back.
 */
const WITHDRAWN = sql`left join lateral (
        select
          (array_agg(batch_id order by id desc) filter (
            where status is null and (candidate.result).registration_id is null
          ))[1] as deleted_by,
          case when (candidate.result).registration_id is null or (
            bool_or(batch_id = coalesce((candidate.result).restored_by, (candidate.result).batch_id))
            and (candidate.status, candidate.chip_time_ms, candidate.gun_time_ms) is distinct from
              ((candidate.result).status, (candidate.result).chip_time_ms, (candidate.result).gun_time_ms)
          ) then (array_agg(batch_id order by id desc) filter (
            where (status, chip_time_ms, gun_time_ms)
              is not distinct from (candidate.status, candidate.chip_time_ms, candidate.gun_time_ms)
          ))[1] end as taken_back_by
        from withdrawn_results where registration_id = candidate.registration_id
      ) withdrawn on true`;

/**
 * CTEs from `candidate`, the rows that differ from the stored results, to `sorted`: these rows with the reason for
 * leaving a row to a person, or null. `left_out` has the left rows.
 */
export function leftRows(asking: Slots<Asking>, { userId }: Sender, previewed?: Sender): SQL {
  const { decided, impossible, others, many, limits, hasStarts, leaver } = asking;
  const ofSender = isOwn({ leaver, userId });
  const reasons = [
    ...(decided ? [DECIDED] : []),
    ...(limits ? [outOfLimits(limits)] : []),
    ...(impossible && hasStarts ? [BEFORE_START] : []),
    ...(impossible ? [IMPOSSIBLE] : []),
    ...(others
      ? [
          sql`when ${IS_STORED} and ${isOfAnother('result_batches', sql`(result).batch_id`, ofSender, hasStarts && REPLACED)}
            then 'of_another_sender'`,
        ]
      : []),
  ];
  const ofLeaver = leaver
    ? sql`
        select from result_batches batch
        cross join lateral (
          select from results where batch_id = batch.id and event_id = batch.event_id offset 0
        ) result
        where batch.event_id = (select event_id from target) and ${isOwnOrMoved(ofSender, hasStarts)}`
    : sql`select from results where event_id = (select event_id from target)`;
  return sql`
    judged as materialized (
      select candidate.*,
        ${reasons.length === 0 ? sql`null::text` : sql`case ${sql.join(reasons, sql` `)} end`} as reason,
        -- Added splits change no stored value.
        ${IS_STORED} and (
          (candidate.status, candidate.chip_time_ms, candidate.gun_time_ms)
            is distinct from (${STORED})
          or not candidate.splits @> (result).splits
        ) as is_change,
        coalesce(${decided ? sql`deleted_by, taken_back_by, ` : sql``}${STORED_BY}) as made_by
      from candidate ${decided ? WITHDRAWN : sql``}
    ),
    ${sortRows(many !== undefined, ofLeaver)},
    ${leftOut('result_batches', STORED, IS_STORED, previewed)}`;
}

const DECIDED = sql`
        when (result).decided_by_person then 'decided_by_person'
        when deleted_by is not null then 'deleted_by_person'
        when (result).status = 'DSQ' and ${isRanked(sql`candidate.status`)} then 'disqualified'
        when taken_back_by is not null then 'taken_back'`;

const outOfLimits = (limits: Slot): SQL => sql`
        when ${isRanked(sql`candidate.status`)} and ${FINISH_MS}
          < (${limits}::jsonb -> distance ->> 'fastestMs')::float8
          then 'too_fast'
        when ${isRanked(sql`candidate.status`)} and ${FINISH_MS}
          > (${limits}::jsonb -> distance ->> 'slowestMs')::float8
          then 'too_slow'`;

const BEFORE_START = sql`
        when not ${isOfAbsent(sql`candidate.status`)} and ${isBeforeStart(sql`candidate`)} then 'before_start'`;

const IMPOSSIBLE = sql`
        when ${isSecond(LATER_MS)} then 'second_finish'
        when ${isOfAbsent(sql`candidate.status`)} and ${hasPassing(sql`candidate.registration_id`)}
          then 'dns_with_passing'`;

/**
 * The rows that an upload of the batch would leave. Writes nothing and locks nothing. No row if the event is not the
 * caller's.
 */
export const previewLeft = (eventId: string, batch: Batch, asking: Asking, by: SenderKind) =>
  compareLeft[by]({ ...batch.loadable.values, ...asking, eventId });

const compareLeft = bySender((sender) =>
  statement(
    `compareLeftResults.${sender.kind}`,
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
    ASKING,
  ),
);
