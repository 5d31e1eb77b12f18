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
  splits: Object.fromEntries(
    Object.entries(stored.splits).map(([name, timeMs]) => [name, formatRaceTime(timeMs)]),
  ),
});

export const toResult = (row: ListedResult, positions: Positions): Result => ({
  inscription_id: row.registration_id,
  bib_number: row.bib_number,
  ...toResultContent(row),
  gender: row.gender,
  category: row.category,
  distance: row.distance,
  ...positions,
  updated_at: new Date(row.updated_at_ms).toISOString(),
});
