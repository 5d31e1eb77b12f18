import { formatRaceTime, formatRaceTimeOrNull } from '../results/race-time.ts';
import type { ResultRow } from './queries.ts';
import type { Result } from './schemas.ts';

/** The public form of a result. */
export const toResult = (row: ResultRow): Result => ({
  bib_number: row.bib_number,
  status: row.status,
  chip_time: formatRaceTimeOrNull(row.chip_time_ms),
  gun_time: formatRaceTimeOrNull(row.gun_time_ms),
  splits: Object.fromEntries(
    Object.entries(row.splits).map(([name, timeMs]) => [name, formatRaceTime(timeMs)]),
  ),
  gender: row.gender,
  category: row.category,
  distance: row.distance,
  position_overall: row.position_overall,
  position_gender: row.position_gender,
  position_category: row.position_category,
  position_distance: row.position_distance,
  updated_at: new Date(row.updated_at_ms).toISOString(),
});
