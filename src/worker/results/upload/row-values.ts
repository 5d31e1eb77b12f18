import { type SQL, sql } from 'drizzle-orm';
import type { Slots } from '../../db/statement.ts';
import type { RowValues } from './batch.ts';

/** The rows as a table named `row`; its splits are `splitsOf` the same batch. */
export const rowsOf = (batch: Slots<RowValues>): SQL => sql`unnest(
    ${batch.bibs}::text[], ${batch.statuses}::text[],
    ${batch.chipTimesMs}::bigint[], ${batch.gunTimesMs}::bigint[],
    ${batch.splitsOf}::int[], ${batch.splitTimesMs}::text[]
  ) with ordinality
    as row (bib_number, status, chip_time_ms, gun_time_ms, splits_of, split_times_ms, place)`;

/** The splits of a row as JSON. Postgres puts its times into a form that holds the names. */
export const splitsOf = ({ splitForms }: Slots<RowValues>): SQL => sql`
  case when split_times_ms is null then '{}' else format(
    (${splitForms}::text[])[splits_of], variadic string_to_array(split_times_ms, '|')
  ) end::jsonb`;
