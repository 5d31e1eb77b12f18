import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
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
