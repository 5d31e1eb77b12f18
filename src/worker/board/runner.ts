import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { BoardResult } from './answer-schemas.ts';
import { type Group, type Ranking, type Row, runnerOf } from './ranking.ts';

/** The data of a runner that the ranking leaves out: the public name, and the splits in ms. */
export type Detail = { name: string | null; splits: Record<string, number> | null };

export function toResult(
  { groups, rows }: Ranking,
  row: Row,
  detail: Detail | undefined,
): BoardResult {
  const { distance, gender, category } = row.group;
  function standing(isIn: (group: Group) => boolean): BoardResult['overall'] {
    if (row.finishMs === null) return null;
    const matches = new Set<Group>(groups.filter(isIn));
    let place = 1;
    for (const { key, group } of rows) {
      if (key >= row.key) break;
      if (matches.has(group)) place += 1;
    }
    return { place, of: groups.filter(isIn).reduce((sum, { finished }) => sum + finished, 0) };
  }
  const ofRace = (group: Group) => group.distance === distance;
  const ofGender = (group: Group) => ofRace(group) && group.gender === gender;
  const ofCategory = (group: Group) => ofGender(group) && group.category === category;
  const bestMs = rows.find(({ group }) => group.distance === distance)?.finishMs ?? 0;
  return {
    ...runnerOf(row),
    // Until the result arrives, only the bib and the distance are public.
    ...(row.status === null && { gender: null, category: null }),
    name: detail?.name ?? null,
    distance: distance || null,
    status: row.status,
    chip_time: formatRaceTimeOrNull(row.chipMs),
    gun_time: formatRaceTimeOrNull(row.gunMs),
    gap: row.finishMs === null ? null : formatRaceTime(row.finishMs - bestMs),
    overall: standing(ofRace),
    in_gender: gender ? standing(ofGender) : null,
    in_category: category ? standing(ofCategory) : null,
    splits: Object.entries(detail?.splits ?? {})
      .sort(([, one], [, other]) => one - other)
      .map(([name, timeMs]) => ({ name, time: formatRaceTime(timeMs) })),
  };
}
