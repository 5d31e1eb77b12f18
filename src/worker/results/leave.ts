import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { IS_ALIVE } from '../auth/api-key/queries.ts';
import { isoText } from '../db/sql.ts';
import { startOf } from '../db/starts.ts';
import { type Slot, type Slots, statement } from '../db/statement.ts';
import { invalid } from '../errors.ts';
import { WITH_OWN_KEY } from './batches/queries.ts';
import { LEFT_PREVIEWED, LEFT_REASONS } from './left-reasons.ts';
import { LEAVE_RULES, type LeaveRule } from './schemas.ts';
import { bySender, MEMBER, type Sender } from './sender.ts';

/** Values of a statement that leaves rows. A rule without a request has no slot. */
type Leaving = { [Rule in LeaveRule]?: true } & {
  /** `DistanceLimits` as JSON, for `impossible`. */
  limits?: string;
  /** Somebody told the starts of the event: only then a row may be before its start, and a start may have moved. */
  hasStarts?: true | undefined;
};

/** The rules, as values of a statement, and the sender. Empty if an upload leaves nothing. */
export type Asking = Leaving & { leaver?: string };

/** The values of `Asking`, which a statement may lack. */
export const ASKING = {
  decided: true,
  impossible: true,
  many: true,
  others: true,
  limits: true,
  hasStarts: true,
  leaver: true,
} as const satisfies Record<keyof Asking, true>;

export type LeaveQuery = { leave?: readonly LeaveRule[] | undefined; sender?: string | undefined };

/** @throws ApiError VALIDATION_ERROR */
export function askingOf(
  { leave = [], sender }: LeaveQuery,
  limits?: string,
  hasStarts = false,
): Asking {
  if (leave.includes('others') && sender === undefined) throw othersNeedSender();
  if (leave.length === 0) return {};
  const rules: Leaving = {};
  for (const rule of LEAVE_RULES) if (leave.includes(rule)) rules[rule] = true;
  return {
    ...rules,
    ...(rules.impossible && limits !== undefined && { limits }),
    ...(hasStarts && { hasStarts }),
    ...(sender !== undefined && { leaver: sender }),
  };
}

const othersNeedSender = () =>
  invalid('invalid_input', 'leave: "others" needs "sender", the name of whoever sends.', {
    inputs: ['leave'],
  });

export const isLeaving = ({ decided, impossible, others, many }: Slots<Asking>): boolean =>
  [decided, impossible, others, many].some((rule) => rule !== undefined);

/** More distances than a race has. A distance may be any text. */
const DISTANCES_MAX = 1_000;

const HAS_STARTS = sql`exists (select from event_starts where event_id = event.id) as has_starts`;

/** Whether somebody told the starts of an event; no row if the event is not the sender's. */
export const findStarted = bySender(({ ownEvent, kind }) =>
  statement(
    `findStarted.${kind}`,
    () => z.strictObject({ has_starts: z.boolean() }),
    ({ eventId }: Slots<{ eventId: string }>) => sql`
    with event as materialized (${ownEvent(eventId)}) select ${HAS_STARTS} from event`,
  ),
);

/** As `findStarted`, with the distances of the event, read from an index alone. */
export const findDistances = bySender(({ ownEvent, kind }) =>
  statement(
    `findDistances.${kind}`,
    () => z.strictObject({ distances: z.array(z.string()), has_starts: z.boolean() }),
    ({ eventId }: Slots<{ eventId: string }>) => sql`
    with recursive event as materialized (${ownEvent(eventId)}),
    named as (
      select status, '' as distance from unnest(array['PENDING', 'PAID', 'CANCELLED']) as of (status)
      union all
      select status, (
        select distance from registrations
        where event_id = (select id from event) and registrations.status = named.status
          and distance > named.distance
        order by distance limit 1
      ) from named where distance is not null
    )
    select coalesce((
      select json_agg(distance) from (
        select distinct distance from named where distance <> '' limit ${sql.raw(String(DISTANCES_MAX))}
      ) known
    ), '[]') as distances, ${HAS_STARTS}
    from event`,
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

/** The table of the batches that store the rows. */
type Batches = 'result_batches' | 'passing_uploads';

type OfSender = Pick<Sender, 'userId'> & { leaver: Slot | undefined };

/**
 * Whether a row of `batch` comes from this sender, with this key or from this user. A key that is no longer alive may
 * have been renewed: its rows belong to the sender of an equal name.
 */
export const isOwn = ({ leaver, userId }: OfSender): SQL =>
  sql`((batch.sender, batch.user_id) is not distinct from (${leaver ?? sql`null`}::text, ${userId}::text) and (
    batch.api_key_id is not distinct from (select api_key_id from target)
    or exists (select from api_keys where id = batch.api_key_id and not (${IS_ALIVE}))
  ))`;

/** The earlier rows behind a row of `candidate`, the alias `replaced`. */
type Replaced = {
  table: 'replaced_results' | 'replaced_passings';
  batchId: SQL;
  isOfRow: SQL;
};

/**
 * Whether the batch of a row's stored values comes from a further sender. A shift of a start moves values, and leaves
 * them to their sender.
 * @param batchId the column of `candidate` with this batch
 * @param replaced finds the sender of moved values; undefined without starts
 */
export const isOfAnother = (
  batches: Batches,
  batchId: SQL,
  ofSender: SQL,
  replaced: Replaced | undefined,
): SQL => sql`${batchId} not in (
          select id from ${sql.raw(batches)} batch
          where id = any(array(select distinct ${batchId} from candidate)) and ${ofSender}
        )${replaced ? sql` and not (${isMovedOwn(batches, batchId, ofSender, replaced)})` : sql``}`;

const isMovedOwn = (
  batches: Batches,
  batchId: SQL,
  ofSender: SQL,
  { table, batchId: earlierId, isOfRow }: Replaced,
): SQL => sql`exists (
          select from ${sql.raw(batches)} where id = ${batchId} and ${IS_SHIFT}
        ) and exists (
          select from (
            select ${earlierId} as id from ${sql.raw(table)} replaced
            where ${isOfRow} and not exists (
              select from ${sql.raw(batches)} where id = ${earlierId} and ${IS_SHIFT}
            )
            order by replaced.id desc limit 1
          ) earlier join ${sql.raw(batches)} batch using (id) where ${ofSender}
        )`;

const IS_SHIFT = sql`source = 'shift'`;

/** Whether stored rows of `batch` count for this sender. Rows that a shift moved count for every sender. */
export const isOwnOrMoved = (ofSender: SQL, hasStarts: Slot | undefined): SQL =>
  hasStarts ? sql`(${ofSender} or batch.${IS_SHIFT})` : ofSender;

/**
 * From this number of changed rows on, an upload changes too much if the rows exceed a fifth of the sender's stored
 * rows.
 */
const CHANGES_MIN = sql.raw('3');
const SHARE = sql.raw('5');

/**
 * The CTE `sorted`: the rows of the CTE `judged` with the column `left_reason`.
 * @param many whether rows are left if the upload changes too much
 * @param stored the sender's stored rows, which are read if enough rows change, and no more than needed
 */
export const sortRows = (many: boolean, stored: SQL): SQL => sql`
    sorted as materialized (
      select judged.*, ${
        many
          ? sql`case when reason is null and is_change and (
        select case when changes >= ${CHANGES_MIN} then changes * ${SHARE} > (
          select count(*) from (${stored} limit changes * ${SHARE}) stored
        ) else false end
        from (select count(*) as changes from judged where reason is null and is_change) counted
      ) then 'too_many_changes' else reason end`
          : sql`reason`
      } as left_reason
      from judged
    )`;

const text = () => z.nullable(z.string());

/** A left row: its ordinal in `loadable`, bib and reason; the stored values; who and when. */
const leftItems = <const Stored extends readonly z.ZodMiniType[]>(stored: Stored) =>
  [z.int(), z.string(), z.enum(LEFT_REASONS), ...stored, text(), text()] as const;

export const leftRowOf = <const Stored extends readonly z.ZodMiniType[]>(stored: Stored) =>
  z.tuple(leftItems(stored));

/** The rows that an upload would leave. A left row of a preview has `namesOfLeft` too. */
export const previewedRowOf = <const Stored extends readonly z.ZodMiniType[]>(stored: Stored) =>
  z.strictObject({
    left_count: z.int(),
    left_new: z.int(),
    left_rows: z.array(z.tuple(leftItems(stored), text())),
  });

/** The further columns of the panel's preview: the names of the runner, and the reason for the stored row. */
export const namesOfLeft = ([given_names, surnames = null, reason = null]: (string | null)[]) =>
  given_names === undefined ? {} : { given_names, surnames, reason };

const PREVIEWED = sql.raw(String(LEFT_PREVIEWED));

/**
 * The CTE `left_out`: how many rows are left, how many of these have nothing stored, and the rows for the answer.
 * @param previewed the sender of a preview, which has the first rows. Rows of the panel's preview have names
 */
export const leftOut = (
  batches: Batches,
  stored: SQL,
  isStored: SQL,
  previewed?: Sender,
): SQL => sql`
    -- The author of the stored result, or of its removal.
    maker as materialized (
      select batch.id, coalesce(batch.sender, api_key.name, batch.user_id) as who,
        ${isoText(sql`batch.received_at`)} as at,
        ${batches === 'result_batches' ? sql`batch.reason` : sql`null::text`} as why
      from ${sql.raw(batches)} batch
      ${WITH_OWN_KEY}
      where batch.id = any(array(select distinct made_by from sorted where left_reason is not null))
        and batch.event_id = (select event_id from target)
    ),
    left_out as materialized (
      select count(*)::int as left_count, count(*) filter (where not (${isStored}))::int as left_new,
        coalesce(json_agg(json_build_array(
          ordinal, bib_number, left_reason, ${stored}, who, at
          ${previewed === MEMBER ? sql`, given_names, surnames, why` : sql``}
        ) order by ordinal)
          ${previewed ? sql`filter (where number <= ${PREVIEWED})` : sql``}, '[]') as left_rows
      from (
        select *${previewed ? sql`, row_number() over (order by ordinal) as number` : sql``} from sorted
        where left_reason is not null
      ) sorted
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
