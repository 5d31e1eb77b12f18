import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { epochMs } from '../../db/sql.ts';
import type { Slot, Slots } from '../../db/statement.ts';
import { streamedStatement } from '../../db/streamed-statement.ts';
import { ownEventId } from '../../events/queries.ts';
import { OF_EVENT, ORDER_OF_RESULTS } from '../sql.ts';
import type { ExportedResult } from './answer-schemas.ts';
import { inGroups } from './matching.ts';
import { createRanking, NO_POSITIONS, POSITION_NAMES } from './positions.ts';
import { listedResult } from './queries.ts';
import { toResult } from './result.ts';
import type { ResultExportQuery } from './schemas.ts';

/** A result that matches, or a finisher who has positions only. */
const exportedRow = () =>
  z.extend(z.omit(listedResult(), { time_place: true }), {
    is_listed: z.boolean(),
    finish_time_ms: z.nullable(z.int()),
  });

type ExportedRow = z.output<ReturnType<typeof exportedRow>>;

/**
 * All results that match, as of one moment; none if the event is not the caller's. All other finishers are
 * there too, with `is_listed` false, because they have positions.
 * @param ownEvent SQL for the id of the caller's event
 */
export const exportResultsOf = (ownEvent: (eventId: Slot) => SQL) =>
  streamedStatement(
    exportedRow,
    {
      is_listed: (bool) => bool === 't',
      splits: JSON.parse,
      updated_at_ms: Number,
      finish_time_ms: Number,
      chip_time_ms: Number,
      gun_time_ms: Number,
    },
    ({ eventId, status, bib, ...groups }: Slots<ResultExportQuery & { eventId: string }>) => ({
      rows: sql`
      with event as materialized (${ownEvent(eventId)})
      select is_listed, finish_time_ms, gender, category, distance, registration_id, bib_number, status,
        chip_time_ms, gun_time_ms, case when is_listed then splits else '{}' end as splits,
        ${epochMs(sql`updated_at`)} as updated_at_ms
      from (select * from results where ${OF_EVENT}) result
      join (
        select id as registration_id, bib_number, gender, category, distance
        from registrations where ${OF_EVENT}
      ) registration using (registration_id)
      cross join lateral (
        select coalesce(${inGroups(groups)} and ${status ? sql`status = ${status}` : sql`true`}
          and ${bib ? sql`bib_number = ${bib}` : sql`true`}, false) as is_listed
      ) match
      where is_listed or finish_time_ms is not null`,
      order: ORDER_OF_RESULTS,
    }),
  );

export const exportResults = exportResultsOf(ownEventId);

/** Makes the items of an export from its rows, which come in the order of their finish times. */
export function exportedResults(): (rows: readonly ExportedRow[]) => ExportedResult[] {
  const ranking = createRanking();
  /** Rows with the latest finish time: they share their positions. */
  let tied: ExportedRow[] = [];

  function positionsOf(row: ExportedRow) {
    if (row.finish_time_ms === null) return NO_POSITIONS;
    if (tied[0]?.finish_time_ms !== row.finish_time_ms) {
      for (const earlier of tied) ranking.add(earlier, 1);
      tied = [];
    }
    tied.push(row);
    return row.is_listed ? ranking.positionsOf(row) : NO_POSITIONS;
  }

  return (rows) => {
    const items: ExportedResult[] = [];
    for (const row of rows) {
      const positions = positionsOf(row);
      if (!row.is_listed) continue;
      const { chip_time_ms, gun_time_ms } = row;
      items.push({ ...toResult({ ...row, ...positions }), chip_time_ms, gun_time_ms });
    }
    return items;
  };
}

/** The CSV columns. */
export const RESULT_FIELDS = [
  ...[
    'inscription_id',
    'bib_number',
    'status',
    'chip_time',
    'gun_time',
    'splits',
    'gender',
    'category',
  ],
  ...['distance', ...POSITION_NAMES, 'updated_at', 'chip_time_ms', 'gun_time_ms'],
];
