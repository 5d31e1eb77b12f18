import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isoText } from '../../db/sql.ts';
import type { Slots } from '../../db/statement.ts';
import { streamedStatement } from '../../db/streamed-statement.ts';
import { ownEventId } from '../../events/queries.ts';
import type { ExportedFile } from '../../http/export.ts';
import { toResult } from '../result.ts';
import { COMPLETED_SPLITS, OF_EVENT, ORDER_OF_RESULTS } from '../sql.ts';
import type { ExportedResult } from './answer-schemas.ts';
import { inGroups } from './matching.ts';
import { createRanking, POSITION_NAMES } from './positions.ts';
import { listedResult } from './queries.ts';
import type { ResultExportQuery } from './schemas.ts';

/** A result that matches, or a finisher who has positions only. */
const exportedRow = () => z.extend(listedResult(), { is_listed: z.boolean() });

type ExportedRow = z.output<ReturnType<typeof exportedRow>>;

/**
 * All results that match, as of one moment; none if the event is not the caller's. All other finishers are
 * there too, with `is_listed` false, because they have positions.
 */
export const exportResults = streamedStatement(
  exportedRow,
  () => Object.keys(exportedRow().shape),
  ({ eventId, status, bib, ...groups }: Slots<ResultExportQuery & { eventId: string }>) => ({
    rows: sql`
      with event as materialized (${ownEventId(eventId)})
      select is_listed, finish_time_ms, gender, category, distance, registration_id, bib_number, status,
        chip_time_ms, gun_time_ms,
        case when is_listed then ${COMPLETED_SPLITS.splits} else '{}' end as splits,
        ${isoText(sql`updated_at`)} as updated_at
      from (select * from results where ${OF_EVENT}) result
      join (
        select id as registration_id, bib_number, gender, category, distance
        from registrations where ${OF_EVENT}
      ) registration using (registration_id)
      left join ${COMPLETED_SPLITS.table} passing using (registration_id)
      cross join lateral (
        select coalesce(${inGroups(groups)} and ${status ? sql`status = ${status}` : sql`true`}
          and ${bib ? sql`bib_number = ${bib}` : sql`true`}, false) as is_listed
      ) match
      where is_listed or finish_time_ms is not null`,
    order: ORDER_OF_RESULTS,
  }),
);

/** The fields and items of an exported file. */
export const resultsFile = (): ExportedFile<ExportedRow> => ({
  fields: RESULT_FIELDS,
  toItems: exportedResults(),
  what: 'results',
});

const RESULT_FIELDS = [
  ...['inscription_id', 'bib_number', 'status', 'chip_time', 'gun_time', 'splits', 'gender'],
  ...['category', 'distance', ...POSITION_NAMES, 'updated_at', 'chip_time_ms', 'gun_time_ms'],
];

/** Makes the items of an export from its rows, which come in the order of their finish times. */
function exportedResults(): (rows: readonly ExportedRow[]) => ExportedResult[] {
  const ranking = createRanking();
  return (rows) => {
    const items: ExportedResult[] = [];
    for (const row of rows) {
      const { finish_time_ms, chip_time_ms, gun_time_ms } = row;
      const groups = ranking.groupsOf(row);
      const positions = ranking.positionsOf(finish_time_ms, groups);
      if (finish_time_ms !== null) ranking.add(finish_time_ms, groups, 1);
      if (row.is_listed) items.push({ ...toResult(row, positions), chip_time_ms, gun_time_ms });
    }
    return items;
  };
}
