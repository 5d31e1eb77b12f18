import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { ResultStatus } from '../../../timing-files/read/result-status.ts';
import { REGISTRATION_STATUSES } from '../../db/sql.ts';
import { type Slot, type Slots, statement } from '../../db/statement.ts';
import { isRanked } from '../../db/statuses.ts';
import { applyChange } from '../change.ts';
import { MEMBER } from '../sender.ts';
import { completedSplits, contentOf, contentOrNull, storedResult } from '../sql.ts';
import { sentResult } from '../upload/store.ts';
import { WITH_OWN_KEY } from './queries.ts';
import { versionOf } from './versions.ts';

/** The values of a correction. Missing values stay, or are null without a stored result. */
type Corrected = {
  status?: ResultStatus | undefined;
  chipTimeMs?: number | null | undefined;
  gunTimeMs?: number | null | undefined;
};

type Correction = Corrected & {
  /** Nothing is written. */
  isDry: boolean;
  eventId: string;
  bib: string;
  batchId: string;
  reason: string | null;
  /**
   * The batch that made or removed the result to correct: null for a result that never existed. Without `version`, the
   * correction applies to any version.
   */
  version?: string | null | undefined;
};

const correctedRow = () =>
  z.strictObject({
    inscription_id: z.guid(),
    bib_number: z.string(),
    before: z.nullable(storedResult()),
    after: storedResult(),
    /** False if `version` is not the present version. Then nothing is written. */
    is_present: z.boolean(),
    /** The present version and its author. Null if none was named. */
    present: z.nullable(
      z.strictObject({
        version: z.nullable(z.guid()),
        user_id: z.nullable(z.string()),
        key_name: z.nullable(z.string()),
      }),
    ),
    /** False if `after` cannot be stored. Then nothing is written. */
    is_possible: z.boolean(),
    /** Null if nothing was written. */
    batch_id: z.nullable(z.guid()),
    /** The splits of the result, completed by the passings. */
    splits: z.record(z.string(), z.int()),
    distance: z.nullable(z.string()),
    /** The times of the distance's other finishers. The count stops at a few finishers. */
    others: z.strictObject({
      count: z.int(),
      fastest_ms: z.nullable(z.int()),
      slowest_ms: z.nullable(z.int()),
    }),
  });

export type CorrectedRow = z.output<ReturnType<typeof correctedRow>>;

/**
 * Corrects a bib's result, or makes the first result, as a batch that can be reverted. Answers a row, or none if the
 * event is not the organization's or has no such bib. Splits stay. Without a stored result and a sent status, the
 * status is FINISHED. A status other than FINISHED removes the times, as in an upload. An unchanged result is not
 * written.
 *
 * The locks are the locks of an upload.
 */
export const correctResult = statement(
  'correctResult',
  correctedRow,
  ({ eventId, bib, batchId, reason, isDry, version, ...named }: Slots<Correction>) => sql`
    with target as materialized (${MEMBER.target(eventId)}),
    -- No transaction deletes the registration or changes its bib before the end.
    runner as materialized (
      select id as registration_id, event_id, bib_number, distance from registrations
      where event_id = (select event_id from target) and bib_number = ${bib}
      for key share
    ),
    -- The runner's result, locked, and its values after the correction.
    corrected as materialized (
      select runner.*, result, ${contentAfter(named)}
      from runner left join lateral (
        select * from results where registration_id = runner.registration_id for update
      ) result on true
    ),
    ${presentVersion(version)}
    judged as materialized (
      select *, ${isPresent(version)} as is_present, case
        when ${isRanked(sql`status`)} then coalesce(chip_time_ms, gun_time_ms) is not null
        else ${named.status ? sql`true` : sql`not ${namesTime(named)}`} end as is_possible
      from corrected
    ),
    changed as materialized (
      select * from judged
      where is_possible and is_present and not ${isDry}::boolean and (status, chip_time_ms, gun_time_ms)
        is distinct from ((result).status, (result).chip_time_ms, (result).gun_time_ms)
    ),
    ${applyChange({
      batchId,
      after: sentResult(batchId, sql`true`),
      facts: {
        user_id: sql`${MEMBER.userId}::text`,
        source: sql`'json'`,
        reason: sql`${reason}::text`,
        total_processed: sql`1`,
      },
      when: sql`exists (select from changed)`,
    })},
    ${otherTimes()}
    select registration_id as inscription_id, bib_number, is_present,
      ${
        version
          ? sql`(
        select row_to_json(present) from (select version, user_id, key_name from present) present
      )`
          : sql`null`
      } as present,
      ${contentOrNull('result')} as before,
      ${contentOf('judged')} as after, is_possible, (select id from recorded) as batch_id,
      ${completedSplits(sql`judged.registration_id`)} as splits, distance,
      json_build_object(
        'count', (select least(count(*), ${sql.raw(String(OTHERS_COUNTED))}) from other_time),
        'fastest_ms', (select min(finish_time_ms) from other_time),
        'slowest_ms', (select max(finish_time_ms) from other_time)) as others
    from judged`,
  { chipTimeMs: true, gunTimeMs: true, status: true, version: true },
);

/** The CTE `present`: the present version of the result of the CTE `corrected`, if a version is named. */
const presentVersion = (version: Slot | undefined): SQL =>
  version
    ? sql`
    present as materialized (
      select version, user_id, api_key.name as key_name
      from (select ${versionOf('corrected', sql`(result)`)} as version from corrected) made
      left join result_batches batch
        on batch.id = version and batch.event_id = (select event_id from target)
      ${WITH_OWN_KEY}
    ),`
    : sql``;

/** Whether `version` is the present version, after the lock. */
const isPresent = (version: Slot | undefined): SQL =>
  version ? sql`(select version from present) is not distinct from ${version}::uuid` : sql`true`;

/** The number of other finishers that the judge needs. */
const OTHERS_COUNTED = 3;
/** Registrations of each status in the distance whose times are read. Of a rarer distance, these are all. */
const SAMPLE_MAX = 300;
/** Among this number of first and last times of the event, the times of a common distance are found. */
const ENDS_MAX = 300;

const STATUSES = sql.raw(REGISTRATION_STATUSES.map((status) => `('${status}')`).join(', '));

/**
 * The CTE `other_time`: times of further finishers in the distance of `judged`, in bounded work. A walk along the times
 * of the event until the distance comes would read a whole event for a rare distance.
 */
const otherTimes = (): SQL => {
  // The order is the order of the index: for any order, the planner would read the event instead.
  const sampled = (isOfDistance: SQL) => sql`(
        select sample.registration_id from (values ${STATUSES}) of (status) cross join lateral (
          select id as registration_id from registrations
          where event_id = judged.event_id and status = of.status and ${isOfDistance}
          order by category limit ${sql.raw(String(SAMPLE_MAX))}
        ) sample)`;
  const end = (order: 'asc' | 'desc') => sql`(
        select registration_id from results
        where event_id = judged.event_id and finish_time_ms is not null
        order by finish_time_ms ${sql.raw(order)} limit ${sql.raw(String(ENDS_MAX))})`;
  return sql`
    other as materialized (
      select distinct candidate.registration_id, judged.distance, judged.registration_id as own_id
      from judged cross join lateral (
        ${sampled(sql`distance = judged.distance`)} union all
        ${sampled(sql`distance is null and judged.distance is null`)} union all
        ${end('asc')} union all ${end('desc')}
      ) candidate
    ),
    other_time as materialized (
      select finish_time_ms
      from other
      cross join lateral (select distance from registrations where id = other.registration_id) registration
      cross join lateral (
        select finish_time_ms from results where registration_id = other.registration_id
      ) result
      where finish_time_ms is not null and registration.distance is not distinct from other.distance
        and other.registration_id <> own_id
    )`;
};

/** The columns of a result after the correction. `result` is null without a stored result. */
function contentAfter({ status, chipTimeMs, gunTimeMs }: Slots<Corrected>): SQL {
  const next = status ? sql`${status}::text` : sql`coalesce((result).status, 'FINISHED')`;
  const ifFinished = (time: SQL) => sql`case when ${isRanked(next)} then ${time} end`;
  return sql`${next} as status,
        ${ifFinished(chipTimeMs ? sql`${chipTimeMs}::bigint` : sql`(result).chip_time_ms`)} as chip_time_ms,
        ${ifFinished(gunTimeMs ? sql`${gunTimeMs}::bigint` : sql`(result).gun_time_ms`)} as gun_time_ms,
        coalesce((result).splits, '{}') as splits`;
}

/** Whether the correction contains a time that is not null. */
const namesTime = ({ chipTimeMs, gunTimeMs }: Slots<Corrected>): SQL =>
  sql`coalesce(${chipTimeMs ?? sql`null`}::bigint, ${gunTimeMs ?? sql`null`}::bigint) is not null`;
