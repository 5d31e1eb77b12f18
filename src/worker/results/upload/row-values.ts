import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { LargeText } from '../../db/large-text.ts';
import type { Slots } from '../../db/statement.ts';
import { isRanked } from '../../db/statuses.ts';

/** The values to store, each column as a Postgres array. */
export type RowValues = {
  bibs: LargeText;
  statuses: LargeText;
  chipTimesMs: LargeText;
  gunTimesMs: LargeText;
  splitsOf: LargeText;
  /** For each row the split times in ms with `|` between the times; null without splits. */
  splitTimesMs: LargeText;
  /** The `splitForm` of each list of names. */
  splitForms: LargeText;
};

/** The rows as a table named `row`; `splitsOf` with this batch makes the splits. */
export const rowsOf = (batch: Slots<RowValues>): SQL => sql`unnest(
    ${batch.bibs}::text[], ${batch.statuses}::text[],
    ${batch.chipTimesMs}::bigint[], ${batch.gunTimesMs}::bigint[],
    ${batch.splitsOf}::int[], ${batch.splitTimesMs}::text[]
  ) with ordinality
    as row (bib_number, status, chip_time_ms, gun_time_ms, splits_of, split_times_ms, ordinal)`;

/** A distance may be any text, so the number of distances has no limit but the registrations. */
const DISTANCES_LOOKED_AT = 50;

/** `DistanceTimes` of rows with a distance as a JSON array, the largest distances first. */
export const timesByDistance = (rows: SQL): SQL => sql`(
    select coalesce(json_agg(times), '[]') from (
      select distance, count(*)::int as count,
        min(coalesce(chip_time_ms, gun_time_ms)) as "fastestMs",
        max(coalesce(chip_time_ms, gun_time_ms)) as "slowestMs"
      from ${rows} where ${isRanked(sql`status`)} and distance is not null
      group by distance order by count(*) desc, distance limit ${sql.raw(String(DISTANCES_LOOKED_AT))}
    ) times
  )`;

/** The schema of `timesByDistance`. */
export const distanceTimes = () =>
  z.array(
    z.strictObject({
      distance: z.string(),
      count: z.int(),
      fastestMs: z.int(),
      slowestMs: z.int(),
    }),
  );

/**
 * The JSON of splits with these names, with `%s` in place of each time. Postgres fills the form for each row: joining
 * names and times in Postgres takes four times as long, and rows with repeated names do not fit into memory.
 */
export const splitForm = (names: readonly string[]): string =>
  `{${names.map((name) => `${JSON.stringify(name).replaceAll('%', '%%')}:%s`).join()}}`;

export const splitsOf = ({ splitForms }: Slots<RowValues>): SQL => sql`
  case when split_times_ms is null then '{}' else format(
    (${splitForms}::text[])[splits_of], variadic string_to_array(split_times_ms, '|')
  ) end::jsonb`;
