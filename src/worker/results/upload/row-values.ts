import { type SQL, sql } from 'drizzle-orm';
import type { LargeText } from '../../db/large-text.ts';
import type { Slots } from '../../db/statement.ts';
import { arrayOf, type Batch, quoted } from './batch.ts';

/** A batch's loadable rows, each column as an array that Postgres reads. */
export type RowValues = {
  bibs: LargeText;
  statuses: LargeText;
  chipTimesMs: LargeText;
  gunTimesMs: LargeText;
  splitsOf: LargeText;
  splitTimesMs: LargeText;
  splitForms: LargeText;
};

export const rowValues = ({ loadable }: Batch): RowValues => ({
  bibs: loadable.bibs,
  statuses: loadable.statuses,
  chipTimesMs: loadable.chipTimesMs,
  gunTimesMs: loadable.gunTimesMs,
  splitsOf: arrayOf(loadable.splitsOf),
  splitTimesMs: loadable.splitTimesMs,
  splitForms: arrayOf(loadable.splitNames.map(formOf)),
});

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

/** The object of splits with these names, with `%s` where a time belongs. */
const formOf = (names: readonly string[]): string =>
  quoted(`{${names.map((name) => `${JSON.stringify(name).replaceAll('%', '%%')}:%s`).join()}}`);
