import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { ROWS_SHOWN } from '../../../timing-files/read/lines.ts';
import { RANKING_RULES } from '../../../timing-files/read/ranking-rule.ts';
import { ROWS_PREVIEWED } from '../../../timing-files/suggest/preview.ts';
import type { LargeText } from '../../db/large-text.ts';
import { ruleOf } from '../../db/settings.ts';
import { latestFirst } from '../../db/sql.ts';
import { type OfEvent, type Slots, statement } from '../../db/statement.ts';
import { isOfAbsent, isRanked } from '../../db/statuses.ts';
import { bySender, type SenderKind } from '../sender.ts';
import { contentOf, storedResult } from '../sql.ts';
import { hasPassing, isOldGun } from './after-correction.ts';
import type { Batch } from './batch.ts';
import { distanceTimes, type RowValues, rowsOf, splitsOf, timesByDistance } from './row-values.ts';

/** The first rows of a kind, by their ordinals, and the number of all. */
const firstRows = () => z.strictObject({ count: z.int(), ordinals: z.array(z.int()) });

/** The finishers without a time, and whether any finisher has the time. */
const rankedBy = () => z.strictObject({ without: firstRows(), isKnown: z.boolean() });

/**
 * The comparison of an upload's rows with the stored results. `ordinal` is the ordinal of a row in `loadable`, from 1
 * on.
 */
export const comparedRow = () =>
  z.strictObject({
    eventDate: z.string(),
    now: z.string(),
    knownBibs: z.int(),
    new: z.int(),
    changed: z.int(),
    changedResults: z.int(),
    storedResults: z.int(),
    latestBatchRows: z.nullable(z.int()),
    /** The first ordinals whose bib has no registration. */
    missing: z.array(z.int()),
    cancelled: firstRows(),
    reinstated: firstRows(),
    /** Stored results with a split that is missing in their new rows. */
    splitsRemoved: firstRows(),
    /** Stored results with a gun time that is missing in their new rows with a chip time. */
    gunTimesRemoved: firstRows(),
    /** Rows that say DNS of a runner with a passing, or have a passing of a runner who is DNS. */
    dnsWithPassing: firstRows(),
    /** Rows that equal a time before the shift of its start. */
    oldGun: firstRows(),
    distances: distanceTimes(),
    /** The runners without the ranking times; null for rows that are no finishes. */
    ranking: z.nullable(
      z.strictObject({ rankBy: z.enum(RANKING_RULES), chip: rankedBy(), gun: rankedBy() }),
    ),
    /** The first changing results. */
    changes: z.array(
      z.strictObject({
        ordinal: z.int(),
        bib_number: z.string(),
        before: storedResult(),
        after: storedResult(),
      }),
    ),
  });

export type Compared = z.output<ReturnType<typeof comparedRow>>;

const bibRow = () => z.strictObject({ bib_number: z.string(), distance: z.nullable(z.string()) });

/** The texts among the given texts that are bibs of the event, with their distances, if the event is the caller's. */
export const bibsAmong = bySender(({ ownEvent, kind }) =>
  statement(
    `bibsAmong.${kind}`,
    bibRow,
    ({ eventId, texts }: Slots<{ eventId: string; texts: LargeText }>) => sql`
    select bib_number, distance from registrations
    where event_id = ${ownEvent(eventId)} and bib_number = any(${texts}::text[])`,
  ),
);

/**
 * Compares a batch with the event in a single statement and writes nothing. Answers a `Compared`, or none if the event
 * is not the caller's.
 */
export const compareBatch = (eventId: string, batch: Batch, by: SenderKind) =>
  compareRows[by]({ ...batch.loadable.values, eventId });

const compareRows = bySender(({ ownEvent, kind }) =>
  statement(`compareResults.${kind}`, comparedRow, (batch: Slots<RowValues & OfEvent>) =>
    comparison({
      ownEvent: ownEvent(batch.eventId),
      input: rowsOf(batch),
      found: foundRows(batch),
      stored: sql`select count(*)::int from results where event_id = target.event_id`,
      latestBatchRows: sql`
        select total_processed from result_batches batch where batch.event_id = target.event_id
        order by ${latestFirst('batch')} limit 1`,
      distances: timesByDistance(sql`found`),
      ranking: sql`json_build_object(
        'rankBy', ${ruleOf(sql`target.event_id`)},
        'chip', ${rankedByTime(sql`chip_time_ms`)},
        'gun', ${rankedByTime(sql`gun_time_ms`)}
      )`,
      changes: firstChanges(batch),
    }),
  ),
);

type Comparison = {
  /** The id of the event; null if the event is not the caller's. */
  ownEvent: SQL;
  /** The rows of the upload, with `ordinal` and `bib_number`. */
  input: SQL;
  /**
   * The rows whose bib has a registration, beside the stored result: `ordinal`, `is_new`, `is_other_time`,
   * `is_other_splits`, `loses_split`, `loses_gun_time`, `is_dns_with_passing`, `is_old_gun`, `is_cancelled` and
   * `is_reinstated`.
   */
  found: SQL;
  /** How many rows are stored. */
  stored: SQL;
  latestBatchRows: SQL;
  distances: SQL;
  ranking: SQL;
  /** The first changing results, as a JSON array. */
  changes: SQL;
};

/** The told start that is nearest to now. Without a told start, the date of the event. */
const NEAREST_START = sql`coalesce((
        select starts_at from event_starts where event_starts.event_id = target.event_id
        order by abs(extract(epoch from starts_at - now())) limit 1
      ), event_date)`;

/** Selects a `comparedRow`, or none if the event is not the caller's. */
export const comparison = (of: Comparison): SQL => sql`
    with target as materialized (
      select id as event_id, event_date from events where id = ${of.ownEvent}
    ),
    input as materialized (select * from ${of.input}),
    found as materialized (${of.found}),
    -- How many rows are known, new and different.
    counted as (
      select count(*)::int as "knownBibs",
        count(*) filter (where is_new)::int as new,
        count(*) filter (where is_other_time or is_other_splits)::int as changed,
        count(*) filter (where is_other_time)::int as "changedResults"
      from found
    )
    select ${isoSeconds(NEAREST_START)} as "eventDate", ${isoSeconds(sql`now()`)} as now,
      counted.*,
      (${of.stored}) as "storedResults",
      (${of.latestBatchRows}) as "latestBatchRows",
      array(
        select ordinal::int from input except select ordinal from found order by ordinal
        limit ${ROWS_SHOWN}
      ) as missing,
      ${firstFound(sql`is_cancelled`)} as cancelled,
      ${firstFound(sql`is_reinstated`)} as reinstated,
      ${firstFound(sql`loses_split`)} as "splitsRemoved",
      ${firstFound(sql`loses_gun_time`)} as "gunTimesRemoved",
      ${firstFound(sql`is_dns_with_passing`)} as "dnsWithPassing",
      ${firstFound(sql`is_old_gun`)} as "oldGun",
      ${of.distances} as distances,
      ${of.ranking} as ranking,
      (${of.changes}) as changes
    from target, counted`;

/** The rows of a batch whose bib has a registration, beside the stored result. */
const foundRows = (batch: Slots<RowValues>): SQL => sql`
      select ordinal::int as ordinal, input.status, registration.distance,
        registration.status = 'CANCELLED' as is_cancelled,
        input.chip_time_ms, input.gun_time_ms,
        stored.registration_id is null as is_new,
        not ${isRanked(sql`stored.status`)} and ${isRanked(sql`input.status`)} as is_reinstated,
        stored.registration_id is not null and (
          stored.status <> input.status
          or stored.chip_time_ms is distinct from input.chip_time_ms
          or stored.gun_time_ms is distinct from input.gun_time_ms
        ) as is_other_time,
        case when stored.registration_id is not null then stored.splits <> ${splitsOf(batch)} end
          as is_other_splits,
        stored.splits <> '{}' and exists (
          select from jsonb_object_keys(stored.splits) split where not ${splitsOf(batch)} ? split
        ) as loses_split,
        stored.gun_time_ms is not null and input.gun_time_ms is null and input.chip_time_ms is not null
          as loses_gun_time,
        ${isOfAbsent(sql`input.status`)} and ${hasPassing(sql`registration.id`)} as is_dns_with_passing,
        ${isOldGun(sql`stored`, sql`input`)} as is_old_gun
      from input
        join registrations registration
          on registration.event_id = (select event_id from target)
          and registration.bib_number = input.bib_number
        left join results stored on stored.registration_id = registration.id
          and stored.event_id = registration.event_id`;

/** The changes of stored results by the first differing rows. */
const firstChanges = (batch: Slots<RowValues>): SQL => sql`
      select coalesce(json_agg(json_build_object(
        'ordinal', ordinal, 'bib_number', bib_number,
        'before', ${contentOf('result')}, 'after', ${contentOf('sent')}
      ) order by ordinal), '[]')
      from (
        select first.ordinal, input.bib_number, result, sent
        from (
          select ordinal from found where is_other_time or is_other_splits
          order by ordinal limit ${sql.raw(String(ROWS_PREVIEWED))}
        ) first
        join input on input.ordinal = first.ordinal
        join registrations registration
          on registration.event_id = (select event_id from target)
          and registration.bib_number = input.bib_number
        join results result on result.registration_id = registration.id
        cross join lateral (
          select input.status, input.chip_time_ms, input.gun_time_ms, ${splitsOf(batch)} as splits
        ) sent
      ) change`;

const firstFound = (isSought: SQL): SQL => sql`json_build_object(
        'count', (select count(*) from found where ${isSought}),
        'ordinals', array(
          select ordinal from found where ${isSought} order by ordinal limit ${ROWS_SHOWN}
        )
      )`;

/** The upload's finishers without a time, and whether a finisher of the upload or the event has the time. */
const rankedByTime = (time: SQL): SQL => sql`json_build_object(
          'without', ${firstFound(sql`${isRanked(sql`status`)} and ${time} is null`)},
          'isKnown', exists (select from found where ${isRanked(sql`status`)} and ${time} is not null)
            or exists (
              select from results
              where event_id = target.event_id and finish_time_ms is not null and ${time} is not null
            )
        )`;

const isoSeconds = (instant: SQL): SQL =>
  sql`to_char(${instant} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
