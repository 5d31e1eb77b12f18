import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { SECOND_FINISH } from '../../../timing-files/judge/warning.ts';
import { type Slot, type Slots, type Statement, statement } from '../../db/statement.ts';
import { isOfAbsent, isRanked } from '../../db/statuses.ts';
import { type After, applyChange } from '../change.ts';
import { ASKING, type Asking, isLeaving } from '../leave.ts';
import { NOT_FOUND_BIBS_MAX } from '../schemas.ts';
import { bySender, type Sender, type SenderKind } from '../sender.ts';
import { hasPassing, isOldGun } from './after-correction.ts';
import type { Batch } from './batch.ts';
import type { NamedContent } from './idempotency.ts';
import { leftRow, leftRows } from './leave.ts';
import { targetOfStarts } from './race.ts';
import { distanceTimes, type RowValues, rowsOf, splitsOf, timesByDistance } from './row-values.ts';

/** The record of an upload, without its counts. */
export type UploadFacts = {
  source: 'json' | 'csv';
  fileName?: string | null;
  /** The sender's name for itself. */
  sender?: string | null;
  reason?: string | null;
  /** Whether a person decided these results. */
  isByHand?: boolean;
  /** The version of the starts from which times of day were counted. */
  startsVersion?: number | undefined;
  /** Somebody told the starts of the event: only then a row may equal a time before a shift. */
  hasStarts?: true | undefined;
} & NamedContent;

/** The outcome of a batch's loadable rows. */
const storedRow = () =>
  z.strictObject({
    /** The batch of the first upload, if this upload is a repetition. */
    batch_id: z.guid(),
    uploaded: z.int(),
    updated: z.int(),
    /** Rows among `updated` with equal stored values. */
    unchanged: z.int(),
    /** Ordinals in `loadable`, from 1 on, whose bib has no registration. */
    missing: z.array(z.int()),
    /** Stored results with a split that was missing in their new rows. */
    splits_removed: z.int(),
    /** Stored results with a gun time that was missing in their new rows with a chip time. */
    gun_times_removed: z.int(),
    /** Ordinals in `loadable` whose stored finish becomes much later. */
    second_finishes: z.array(z.int()),
    /** Ordinals in `loadable` that say DNS of a runner with a passing. */
    dns_with_passing: z.array(z.int()),
    /** Ordinals in `loadable` that equal the time before a shift. */
    old_gun: z.array(z.int()),
    /** Finish times of the rows by the distance of their registrations; empty for a repetition. */
    distances: distanceTimes(),
    /** Rows that the upload left for a person to decide. */
    left_rows: z.array(leftRow()),
    /** False if the idempotency key belongs to an upload with different content. Then nothing is written. */
    is_same_content: z.boolean(),
  });

export type Stored = z.output<ReturnType<typeof storedRow>>;

/**
 * Stores a batch in a single statement. Answers a `Stored`, or none if the event is not the caller's; then nothing is
 * written. If the event has an upload with the same idempotency key, nothing is written, and the first upload's answer
 * comes back.
 *
 * A row equal to the stored result is counted and not written. `replaced_results` keeps each replaced result.
 *
 * The statement locks the event, the key and the registrations against deletion until the rows are stored. Writers of
 * other columns do not wait for these locks. Registrations, and then results, are locked in the order of their ids, so
 * that uploads cannot wait in a circle. Unchanged results are locked too: so concurrent uploads end like consecutive
 * uploads.
 *
 * If a concurrent upload inserts the first result of a bib, this upload does not insert the result. Then the counts do
 * not add up, the check of `result_batches` fails, and `transact` repeats the transaction.
 *
 * Each column travels as an array, because Postgres reads arrays fastest. No two results of subqueries are joined:
 * without statistics, the planner would join them in nested loops.
 */
export const storeBatch = (
  eventId: string,
  { id: batchId, total, errors, duplicates, loadable }: Batch,
  facts: UploadFacts,
  by: SenderKind = 'key',
  asking: Asking = {},
): Statement<Stored[]> =>
  insertBatch[by]({
    ...NO_FACTS,
    ...facts,
    ...asking,
    ...loadable.values,
    eventId,
    batchId,
    loadable: loadable.rows.length,
    total,
    errors,
    duplicates,
  });

const NO_FACTS = {
  fileName: null,
  sender: null,
  reason: null,
  isByHand: false,
};

type BatchValues = RowValues &
  Asking &
  Required<Omit<UploadFacts, keyof NamedContent | 'startsVersion' | 'hasStarts'>> &
  Pick<UploadFacts, 'startsVersion'> &
  NamedContent &
  Pick<Batch, 'total' | 'errors' | 'duplicates'> & {
    eventId: string;
    batchId: string;
    loadable: number;
  };

const insertBatch = bySender((sender) =>
  statement(
    `storeBatch.${sender.kind}`,
    storedRow,
    (batch: Slots<BatchValues>) => {
      const { earlier, isFirst, facts, answerAgain } = repeatable(batch);
      const leaves = isLeaving(batch);
      return sql`
    with target as materialized (${targetOfStarts(sender.target(batch.eventId), batch.startsVersion)}),
    ${earlier}
    ${comparedRows(batch, isFirst, leaves ? sql`candidate` : sql`changed`)},
    ${leaves ? leaveRows(batch, sender) : sql``}
    ${missingOf(batch.loadable)},
    ${applyChange({
      batchId: batch.batchId,
      after: sentResult(batch.batchId, sql`${batch.isByHand}::boolean`),
      facts: {
        user_id: sql`${sender.userId}::text`,
        source: sql`${batch.source}`,
        file_name: sql`${batch.fileName}`,
        sender: sql`${batch.sender}::text`,
        reason: sql`${batch.reason}::text`,
        is_by_hand: sql`${batch.isByHand}::boolean`,
        ...facts,
        ...(leaves && facts.idempotency_key && { left_rows: sql`left_rows::jsonb` }),
        ...(leaves && { left_count: sql`left_count` }),
        total_processed: sql`${batch.total}::int`,
        updated: sql`same`,
        unchanged: sql`same`,
        not_found: sql`cardinality(ordinals)`,
        not_found_bibs: sql`bibs`,
        errors: sql`${batch.errors}::int`,
        duplicates: sql`${batch.duplicates}::int`,
      },
      from: sql`missing,
        (select (
          (select count(*) from loadable) - (select count(*) from ${leaves ? sql`candidate` : sql`changed`})
        )::int as same) same
        ${leaves ? sql`, left_out` : sql``}`,
      when: isFirst,
    })}
    select recorded.id as batch_id, uploaded, updated, unchanged, ordinals as missing,
      ${SPLITS_REMOVED} as splits_removed,
      ${GUN_TIMES_REMOVED} as gun_times_removed,
      ${SECOND_FINISHES} as second_finishes, ${DNS_WITH_PASSING} as dns_with_passing,
      ${batch.hasStarts ? OLD_GUN : sql`'{}'::int[]`} as old_gun,
      ${timesByDistance(sql`loadable`)} as distances,
      ${leaves ? sql`left_rows` : sql`'[]'::json`} as left_rows, true as is_same_content
    from recorded, missing ${leaves ? sql`, left_out` : sql``}
    ${answerAgain}`;
    },
    { ...ASKING, idempotencyKey: true, contentHash: true, startsVersion: true },
  ),
);

/**
 * The parts of an upload with an idempotency key, which may repeat an earlier upload. Without a key, Postgres plans
 * none of these parts.
 */
function repeatable({ idempotencyKey, contentHash }: Slots<NamedContent>) {
  if (!idempotencyKey || !contentHash) {
    return { earlier: sql``, isFirst: sql`true`, facts: {}, answerAgain: sql`` };
  }
  return {
    earlier: sql`
    -- The upload that this upload repeats.
    earlier as materialized (
      select id, uploaded, updated, unchanged, not_found_ordinals, left_rows, content_hash from result_batches
      where event_id = (select event_id from target) and idempotency_key = ${idempotencyKey}::uuid
    ),`,
    isFirst: sql`not exists (select from earlier)`,
    facts: {
      idempotency_key: sql`${idempotencyKey}::uuid`,
      content_hash: sql`${contentHash}::text`,
      not_found_ordinals: sql`ordinals`,
    },
    answerAgain: sql`
    union all
    select id, uploaded, updated, unchanged, not_found_ordinals, 0, 0, '{}', '{}', '{}', '[]',
      coalesce(left_rows, '[]')::json, content_hash = ${contentHash}::text
    from earlier`,
  };
}

/**
 * The CTE `loadable`: rows of the CTE `input` with their registrations. Nobody deletes these or changes their bibs
 * before the end.
 */
export const LOADABLE = sql`
    loadable as materialized (
      select input.*, registration.id as registration_id, registration.event_id,
        registration.distance
      from input join registrations registration
        on registration.event_id = (select event_id from target)
        and registration.bib_number = input.bib_number
      order by registration.id
      for key share of registration
    )`;

/**
 * The CTE `missing`: ordinals of the rows whose bib has no registration, and the first of these bibs; null if nothing
 * is missing.
 * @param rows how many rows `input` has
 */
export const missingOf = (rows: Slot): SQL => sql`
    missing as materialized (
      select coalesce(array_agg(ordinal order by ordinal), '{}') as ordinals,
        (array_agg(left(bib_number, ${FIRST_BIBS}) order by ordinal))[1:${FIRST_BIBS}] as bibs
      from (
        select ordinal::int, bib_number from input except select ordinal::int, bib_number from loadable
      ) missing
      where (select count(*) from loadable) < ${rows}::int
    )`;

/** How many bibs without a registration a batch keeps, and how many characters of each. */
const FIRST_BIBS = sql.raw(String(NOT_FOUND_BIBS_MAX));

/** The number of rows of the CTE `changed` without a split of the stored result. */
const SPLITS_REMOVED = sql`(
      select count(*)::int from changed
      where (result).splits is distinct from splits
        and exists (select from jsonb_object_keys((result).splits) split where not splits ? split)
    )`;

/** The number of rows of the CTE `changed` with a chip time and without the gun time of the stored result. */
const GUN_TIMES_REMOVED = sql`(
      select count(*)::int from changed
      where (result).gun_time_ms is not null and gun_time_ms is null and chip_time_ms is not null
    )`;

const SECOND_FINISHES = sql`array(
      select ordinal::int from changed where ${isRanked(sql`status`)}
        and coalesce(chip_time_ms, gun_time_ms) >= ${sql.raw(String(SECOND_FINISH))} * (result).finish_time_ms
      order by ordinal
    )`;

const ordinalsOf = (isSought: SQL): SQL =>
  sql`array(select ordinal::int from changed where ${isSought} order by ordinal)`;

const DNS_WITH_PASSING = ordinalsOf(
  sql`${isOfAbsent(sql`status`)} and ${hasPassing(sql`changed.registration_id`)}`,
);

const OLD_GUN = ordinalsOf(isOldGun(sql`changed.result`, sql`changed`));

/** CTEs that compare the rows of a batch with the stored results, and lock registrations and results. */
const comparedRows = (batch: Slots<BatchValues>, isFirst: SQL, differing: SQL): SQL => sql`
    -- The rows of the batch, unless the batch repeats an upload.
    input as materialized (
      select row.*, ${splitsOf(batch)} as splits from ${rowsOf(batch)}
      where ${isFirst}
    ),
    ${LOADABLE},
    -- Rows that differ from the stored result, with the stored result. Equal results are locked too.
    ${differing} as materialized (
      select loadable.*, result
      from loadable left join lateral (
        select results as result from results where registration_id = loadable.registration_id for update
      ) stored on true
      where ((result).status, (result).chip_time_ms, (result).gun_time_ms, (result).splits)
        is distinct from
        (loadable.status, loadable.chip_time_ms, loadable.gun_time_ms, loadable.splits)
    )`;

/** CTEs that take the left rows out of `candidate`. */
const leaveRows = (batch: Slots<BatchValues>, sender: Sender): SQL => sql`
    ${leftRows(batch, sender)},
    changed as materialized (select * from sorted where left_reason is null),`;

/** When a row of `changed` first finishes; null before a finish. A correction does not move the time. */
const FINISHED_NOW = sql`case when ${isRanked(sql`changed.status`)} then now() end`;

/**
 * The result of a row of `changed` with its own status, times and splits.
 * @param isDecided whether a person decided the result
 */
export const sentResult = (batchId: Slot, isDecided: SQL): After => ({
  of: 'result',
  set: {
    batch_id: sql`${batchId}::uuid`,
    restored_by: sql`null`,
    status: sql`changed.status`,
    chip_time_ms: sql`changed.chip_time_ms`,
    gun_time_ms: sql`changed.gun_time_ms`,
    splits: sql`changed.splits`,
    first_finished_at: sql`coalesce((changed.result).first_finished_at, ${FINISHED_NOW})`,
    decided_by_person: isDecided,
    updated_at: sql`now()`,
  },
});
