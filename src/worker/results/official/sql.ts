import { sql } from 'drizzle-orm';
import { digestOf, type Query } from '../../db/streamed-statement.ts';
import { BY_STATUS_AND_BIB, COMPLETED_SPLITS, OF_EVENT } from '../sql.ts';

const inC = (...columns: string[]) =>
  sql.raw(columns.map((column) => `${column} collate "C"`).join(', '));

/**
 * The results of the event in the CTE `event`, with everything that an official version says, and nothing else. One
 * column more, and no version would be that of the results any longer. Their order follows from what they say.
 */
export const OFFICIAL_ROWS: Query = {
  rows: sql`
      select bib_number, gender, category, distance, status, chip_time_ms, gun_time_ms, finish_time_ms,
        ${COMPLETED_SPLITS.splits} as splits
      from (select * from results where ${OF_EVENT}) result
      join (
        select id as registration_id, bib_number, gender, category, distance
        from registrations where ${OF_EVENT}
      ) registration using (registration_id)
      left join ${COMPLETED_SPLITS.table} passing using (registration_id)`,
  order: sql`${BY_STATUS_AND_BIB}, ${inC('distance', 'gender', 'category')}, chip_time_ms, gun_time_ms, splits`,
  long: 'splits',
};

/** The digest of the results as they stand. It reads them all. */
export const PRESENT_CONTENT = digestOf(OFFICIAL_ROWS);

/**
 * The state of the results of the event in the CTE `event`. It is derived: whatever has changed a result, a bib or a
 * category, and by whom, the results are no longer those of the version.
 */
export const RESULTS_STATE = sql`coalesce((
  select case when content = ${PRESENT_CONTENT} then 'official' else 'changed_since' end
  from official_results where ${OF_EVENT} order by version desc limit 1
), 'provisional')`;
