import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { limitsMs } from '../../timing-files/read/distance.ts';
import { kmOfPoint } from '../../timing-files/read/point.ts';
import { type Slot, type Slots, statement } from '../db/statement.ts';
import { isOfAbsent } from '../db/statuses.ts';
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
} from '../results/leave.ts';
import { bySender, type Sender, type SenderKind } from '../results/sender.ts';
import type { PassingBatch, PassingValues } from './batch.ts';
import { STORED_PASSING } from './change.ts';
import { inputOf, sentPoints } from './sql.ts';

/** The time of a stored passing. */
const stored = () => [z.nullable(z.int())] as const;

export const leftRow = () => leftRowOf(stored());

export type LeftRow = z.output<ReturnType<typeof leftRow>>;

const previewedRow = () => previewedRowOf(stored());

export type PreviewedLeftRow = z.output<ReturnType<typeof previewedRow>>['left_rows'][number];

/** The distance of each point from the start, by the names, for an upload that leaves impossible passings. */
export type PassingLeaving = Asking & { pointKms?: string };

/** @param points the sent names, in their order */
export const leavingOf = (asking: Asking, points: readonly string[]): PassingLeaving =>
  asking.impossible
    ? { ...asking, pointKms: JSON.stringify(points.map((point) => kmOfPoint(point) ?? null)) }
    : asking;

const IS_STORED = sql`stored_ms is not null`;
const REPLACED = {
  table: 'replaced_passings',
  batchId: sql`replaced.upload_id`,
  isOfRow: sql`replaced.registration_id = candidate.registration_id and replaced.point = candidate.point`,
} as const;
const FASTEST_MS_PER_KM = sql.raw(String(limitsMs(1).fastestMs));

/** The distance of a row's point from the start: from the organization's points, else from the name. */
const KM = sql`coalesce((
          select km from event_points
          where event_id = (select event_id from target) and lower(name) = lower(candidate.point)
            and (distance is null or distance = candidate.distance)
          order by distance is null limit 1
        ), named_km)`;

/** The deletion of a passing, and the act that took the sent passing back. Both count as for results. */
const WITHDRAWN = sql`left join lateral (
        select
          (array_agg(upload_id order by id desc) filter (where time_ms is null and stored_ms is null))[1] as deleted_by,
          case when stored_ms is null or bool_or(left_upload_id = stored_upload_id)
          then (array_agg(upload_id order by id desc) filter (where time_ms = candidate.time_ms))[1]
          end as taken_back_by
        from withdrawn_passings where registration_id = candidate.registration_id and point = candidate.point
      ) withdrawn on true`;

/** As `leftRows` of results: from `candidate` to `sorted` and `left_out`. */
export function leftPassings(
  { decided, others, many, leaver, hasStarts, pointKms }: Slots<PassingLeaving>,
  { userId }: Sender,
  previewed?: Sender,
): SQL {
  const ofSender = isOwn({ leaver, userId });
  const reasons = [
    ...(decided
      ? [
          sql`when deleted_by is not null then 'deleted_by_person' when taken_back_by is not null then 'taken_back'`,
        ]
      : []),
    ...(pointKms ? [IMPOSSIBLE] : []),
    ...(pointKms && hasStarts ? [BEFORE_START] : []),
    ...(others
      ? [
          sql`when ${IS_STORED} and ${isOfAnother('passing_uploads', sql`stored_upload_id`, ofSender, hasStarts && REPLACED)}
            then 'of_another_sender'`,
        ]
      : []),
  ];
  const ofLeaver = leaver
    ? sql`
        select from passings join passing_uploads batch on batch.id = passings.upload_id
        where passings.event_id = (select event_id from target) and ${isOwnOrMoved(ofSender, hasStarts)}`
    : sql`select from passings where event_id = (select event_id from target)`;
  return sql`
    judged as materialized (
      select candidate.*,
        ${reasons.length === 0 ? sql`null::text` : sql`case ${sql.join(reasons, sql` `)} end`} as reason,
        ${IS_STORED} as is_change,
        coalesce(${decided ? sql`deleted_by, taken_back_by, ` : sql``}stored_upload_id) as made_by
      from candidate
      ${decided ? WITHDRAWN : sql``}
      ${pointKms ? withFacts(pointKms) : sql``}
    ),
    ${sortRows(many !== undefined, ofLeaver)},
    ${leftOut('passing_uploads', sql`stored_ms`, IS_STORED, previewed)}`;
}

/** The facts for `IMPOSSIBLE`: the distance by the point's name, and the runner's result. */
const withFacts = (pointKms: Slot): SQL => sql`left join (
        select point, km::float8 as named_km from sent_points
        join json_array_elements_text(${pointKms}::json) with ordinality as named (km, number) on number = point_ordinal
      ) point_km on point_km.point = candidate.point
      left join lateral (
        select status as result_status, greatest(chip_time_ms, gun_time_ms) as finish_ms from results
        where registration_id = candidate.registration_id
      ) result on true`;

const IMPOSSIBLE = sql`
        when ${isOfAbsent(sql`result_status`)} then 'passing_of_dns'
        when time_ms < ${KM} * ${FASTEST_MS_PER_KM} then 'faster_than_point'
        when time_ms > finish_ms then 'after_finish'
        when ${isSecond(sql`(time_ms - stored_ms)`)} then 'second_passing'`;

const BEFORE_START = sql`
        when ${isBeforeStart(sql`candidate`)} then 'before_start'`;

/**
 * The CTE of rows that differ from the stored passings, with the stored passings. @param lock locks the stored passings
 */
export const differing = (name: SQL, rows: SQL, lock: SQL): SQL => sql`
    ${name} as materialized (
      select sent.*, stored.*
      from (${rows}) sent
      left join lateral (
        select ${STORED_PASSING} from passings
        where registration_id = sent.registration_id and event_id = sent.event_id and point = sent.point
        ${lock}
      ) stored on true
      where stored_ms is distinct from sent.time_ms
    )`;

/** The rows that an upload of a point's passings would leave. Writes nothing and locks nothing. */
export const previewLeftPassings = (
  eventId: string,
  { loadable, pointNames }: PassingBatch,
  asking: Asking,
  by: SenderKind,
) => compareLeft[by]({ ...loadable.values, ...leavingOf(asking, pointNames), eventId });

const EVENT_ID = sql`(select event_id from target)`;

const compareLeft = bySender((sender) =>
  statement(
    `compareLeftPassings.${sender.kind}`,
    previewedRow,
    (batch: Slots<PassingValues & PassingLeaving & { eventId: string }>) => sql`
    with target as materialized (
      select id as event_id, ${sender.keyId} as api_key_id from events where id = ${sender.ownEvent(batch.eventId)}
    ),
    ${sentPoints(EVENT_ID, batch.points)},
    ${differing(
      sql`candidate`,
      sql`
        select row.*, registration.id as registration_id, registration.event_id, registration.distance
        from ${inputOf(batch, sql`sent_points`)} join registrations registration
          on registration.event_id = ${EVENT_ID} and registration.bib_number = row.bib_number`,
      sql``,
    )},
    ${leftPassings(batch, sender, sender)}
    select left_out.* from target, left_out`,
    { ...ASKING, pointKms: true },
  ),
);
