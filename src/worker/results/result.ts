import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import { type ItemFields, itemsWith } from '../http/item-fields.ts';
import { POSITION_FIELDS, type Ranked } from '../positions/positions.ts';
import type { ExportedResult, Result } from './read/answer-schemas.ts';
import type { ListedResult, StoredResult } from './sql.ts';

/** The public form of a result's content: times as `HH:MM:SS.mmm`. */
export const toResultContent = (stored: StoredResult) => ({
  status: stored.status,
  chip_time: formatRaceTimeOrNull(stored.chip_time_ms),
  gun_time: formatRaceTimeOrNull(stored.gun_time_ms),
  splits: toSplitTimes(stored.splits),
});

type Groups = Pick<ListedResult, 'gender' | 'category' | 'distance'>;

/** The fields for the groups of a runner. */
export const GROUP_FIELDS = {
  gender: (row: Groups) => row.gender,
  category: (row: Groups) => row.category,
  distance: (row: Groups) => row.distance,
};

const RESULT_FIELDS: ItemFields<Result, [ListedResult, Ranked]> = {
  inscription_id: (row) => row.registration_id,
  bib_number: (row) => row.bib_number,
  status: (row) => row.status,
  chip_time: (row) => formatRaceTimeOrNull(row.chip_time_ms),
  gun_time: (row) => formatRaceTimeOrNull(row.gun_time_ms),
  splits: (row) => toSplitTimes(row.splits),
  ...GROUP_FIELDS,
  ...POSITION_FIELDS,
  rank_by: (_, { rank_by }) => rank_by,
  updated_at: (row) => row.updated_at,
};

export const EXPORTED_RESULT_FIELDS: ItemFields<ExportedResult, [ListedResult, Ranked]> = {
  ...RESULT_FIELDS,
  chip_time_ms: (row) => row.chip_time_ms,
  gun_time_ms: (row) => row.gun_time_ms,
};

export const toResult = itemsWith(RESULT_FIELDS);

/** A copy first, because a split may be called `__proto__`: an assignment alone would not create such a member. */
export function toSplitTimes(splits: StoredResult['splits']): Record<string, string> {
  const times: Record<string, number | string> = { ...splits };
  for (const [name, timeMs] of Object.entries(splits)) times[name] = formatRaceTime(timeMs);
  return times as Record<string, string>;
}
