import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { Result } from './read/answer-schemas.ts';
import type { Positions } from './read/positions.ts';
import type { ListedResult } from './read/queries.ts';
import type { StoredResult } from './sql.ts';

/** The public form of what a result says: times as `HH:MM:SS.mmm`. */
export const toResultContent = (stored: StoredResult) => ({
  status: stored.status,
  chip_time: formatRaceTimeOrNull(stored.chip_time_ms),
  gun_time: formatRaceTimeOrNull(stored.gun_time_ms),
  splits: toSplitTimes(stored.splits),
});

/** Each field by itself: an export makes 50 000 of them, and a spread costs more than all the rest. */
export const toResult = (row: ListedResult, positions: Positions): Result => ({
  inscription_id: row.registration_id,
  bib_number: row.bib_number,
  status: row.status,
  chip_time: formatRaceTimeOrNull(row.chip_time_ms),
  gun_time: formatRaceTimeOrNull(row.gun_time_ms),
  splits: toSplitTimes(row.splits),
  gender: row.gender,
  category: row.category,
  distance: row.distance,
  position_overall: positions.position_overall,
  position_gender: positions.position_gender,
  position_category: positions.position_category,
  position_distance: positions.position_distance,
  position_distance_gender: positions.position_distance_gender,
  position_distance_category: positions.position_distance_category,
  updated_at: row.updated_at,
});

/** A copy first, because a split may be called `__proto__`: an assignment alone would not create it. */
function toSplitTimes(splits: StoredResult['splits']): Record<string, string> {
  const times: Record<string, number | string> = { ...splits };
  for (const [name, timeMs] of Object.entries(splits)) times[name] = formatRaceTime(timeMs);
  return times as Record<string, string>;
}
