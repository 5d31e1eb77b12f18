import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isoText } from '../db/sql.ts';
import { startOf } from '../db/starts.ts';
import { type Slot, type Slots, statement } from '../db/statement.ts';
import { invalid } from '../errors.ts';
import { WITH_OWN_KEY } from './batches/queries.ts';
import { LEFT_PREVIEWED } from './left-reasons.ts';
import { LEAVE_RULES, type LeaveRule } from './schemas.ts';
import { bySender, MEMBER, type Sender } from './sender.ts';

/** Values of a statement that leaves rows. A rule without a request has no slot. */
type Leaving = { [Rule in LeaveRule]?: true } & {
  /** `DistanceLimits` as JSON, for `impossible`. */
  limits?: string;
};

/** The rules, as values of a statement, and the sender. Empty if an upload leaves nothing. */
export type Asking = Leaving & { leaver?: string };

export type LeaveQuery = { leave?: readonly LeaveRule[] | undefined; sender?: string | undefined };

/** @throws ApiError VALIDATION_ERROR */
export function askingOf({ leave = [], sender }: LeaveQuery, limits?: string): Asking {
  if (leave.includes('others') && sender === undefined) throw othersNeedSender();
  if (leave.length === 0) return {};
  const rules: Leaving = {};
  for (const rule of LEAVE_RULES) if (leave.includes(rule)) rules[rule] = true;
  return {
    ...rules,
    ...(rules.impossible && limits !== undefined && { limits }),
    ...(sender !== undefined && { leaver: sender }),
  };
}

const othersNeedSender = () =>
  invalid('invalid_input', 'leave: "others" needs "sender", the name of whoever sends.', 1, [
    'leave',
  ]);

export const isLeaving = ({ decided, impossible, others, many }: Slots<Asking>): boolean =>
  [decided, impossible, others, many].some((rule) => rule !== undefined);

/** More distances than a race has. A distance may be any text. */
const DISTANCES_MAX = 1_000;

/** The distances of an event, read from an index alone. */
export const distancesOf = bySender(({ ownEvent }) =>
  statement(
    () => z.strictObject({ distance: z.string() }),
    ({ eventId }: Slots<{ eventId: string }>) => sql`
    with event as materialized (${ownEvent(eventId)})
    select distinct distance from unnest(array['PENDING', 'PAID', 'CANCELLED']) as of (status)
    cross join lateral (
      with recursive named as (
        select min(distance) as distance from registrations
        where event_id = (select id from event) and status = of.status
        union all
        select (
          select min(distance) from registrations
          where event_id = (select id from event) and status = of.status and distance > named.distance
        ) from named where distance is not null
      )
      select distance from named where distance is not null limit ${sql.raw(String(DISTANCES_MAX))}
    ) named`,
  ),
);

/**
 * A second finish or passing is later by at least this time. Rows of at least this number with an equal delay are a
 * shift.
 */
const SECOND_MS = sql.raw('60000');
const SHIFT_ROWS = sql.raw('3');

/**
 * Whether a row moves a stored time by a minute or more, and fewer than three rows of the upload move by the same
 * amount.
 * @param laterMs the column with the delay of a row's time
 */
export const isSecond = (laterMs: SQL): SQL =>
  sql`(${laterMs} >= ${SECOND_MS} and count(*) over (partition by ${laterMs}) < ${SHIFT_ROWS})`;

/** Whether the runner's start, as sent, is still to come. */
export const isBeforeStart = (row: SQL): SQL =>
  sql`coalesce((${startOf({
    eventId: sql`(select event_id from target)`,
    bib: sql`${row}.bib_number`,
    distance: sql`${row}.distance`,
  })}) > now(), false)`;

type OfSender = Pick<Sender, 'userId'> & { leaver: Slot | undefined };

/** Whether a row of `batch` comes from this sender, with this key or from this user. */
export const isOwn = ({ leaver, userId }: OfSender): SQL =>
  sql`(batch.sender, batch.api_key_id, batch.user_id) is not distinct from
    (${leaver ?? sql`null`}::text, (select api_key_id from target), ${userId}::text)`;

/**
 * From this number of changed rows on, an upload changes too much if the rows exceed a fifth of the sender's stored
 * rows.
 */
const CHANGES_MIN = sql.raw('3');
const SHARE = sql.raw('5');

/**
 * The CTEs `many`, whether the upload changes too much, and `sorted`: the rows of the CTE `judged` with the column
 * `left_reason`.
 * @param stored the sender's stored rows. No more rows are read than needed
 */
export const sortRows = (many: boolean, stored: SQL): SQL =>
  many
    ? sql`
    many as materialized (
      select case when changes >= ${CHANGES_MIN} then changes * ${SHARE} > (
        select count(*) from (${stored} limit (select count(*) * ${SHARE} from judged where reason is null and is_change)) stored
      ) else false end as is_too_many
      from (select count(*) as changes from judged where reason is null and is_change) counted
    ),
    sorted as materialized (
      select judged.*, case when reason is null and is_change and is_too_many then 'too_many_changes' else reason end
        as left_reason
      from judged cross join many
    )`
    : sql`
    sorted as materialized (select judged.*, reason as left_reason from judged)`;

/** The further columns of the panel's preview: the names of the runner, and the reason for the stored row. */
export const namesOfLeft = ([given_names, surnames = null, reason = null]: (string | null)[]) =>
  given_names === undefined ? {} : { given_names, surnames, reason };

const PREVIEWED = sql.raw(String(LEFT_PREVIEWED));

/**
 * The CTE `left_out`: how many rows are left, how many of these have nothing stored, and the rows for the answer.
 * @param previewed the sender of a preview, which has the first rows. Rows of the panel's preview have names
 */
export const leftOut = (
  batches: 'result_batches' | 'passing_uploads',
  stored: SQL,
  isStored: SQL,
  previewed?: Sender,
): SQL => sql`
    -- The author of the stored result, or of its removal.
    maker as materialized (
      select made.* from (
        select distinct made_by as id from sorted where left_reason is not null and made_by is not null
      ) asked
      cross join lateral (
        select batch.id, coalesce(batch.sender, api_key.name, batch.user_id) as who, ${isoText(sql`batch.received_at`)} as at,
          ${batches === 'result_batches' ? sql`batch.reason` : sql`null::text`} as why
        from (
          select * from ${sql.raw(batches)}
          where id = asked.id and event_id = (select event_id from target) offset 0
        ) batch
        ${WITH_OWN_KEY}
      ) made
    ),
    left_out as materialized (
      select count(*)::int as left_count, count(*) filter (where not (${isStored}))::int as left_new,
        coalesce(json_agg(json_build_array(place, bib_number, left_reason, ${stored}, who, at ${previewed === MEMBER ? sql`, given_names, surnames, why` : sql``}) order by place)
          ${previewed ? sql`filter (where number <= ${PREVIEWED})` : sql``}, '[]') as left_rows
      from (select *, row_number() over (order by place) as number from sorted where left_reason is not null) sorted
      left join maker on maker.id = made_by
      ${
        previewed === MEMBER
          ? sql`left join lateral (
        select given_names, surnames from registrations
        where id = sorted.registration_id and number <= ${PREVIEWED} offset 0
      ) runner on true`
          : sql``
      }
    )`;
