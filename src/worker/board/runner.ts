import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { BoardResult } from './answer-schemas.ts';
import { type Group, groupAt, type Ranking, runnerAt, statusAt, timeOrNull } from './ranking.ts';

/** The data of a runner that the ranking leaves out: the public name, and the splits in ms. */
export type Detail = { name: string | null; splits: Record<string, number> | null };

export function toResult(ranking: Ranking, row: number, detail: Detail | undefined): BoardResult {
  const { groups, groupOf, chipMs, gunMs, finishMs } = ranking;
  const { distance, gender, category } = groupAt(ranking, row);
  const status = statusAt(ranking, row) ?? null;
  const timeMs = finishMs[row] ?? 0;
  function standing(isIn: (group: Group) => boolean): BoardResult['overall'] {
    if (status !== 'FINISHED') return null;
    const matches = groups.map(isIn);
    let place = 1;
    for (let other = 0; (finishMs[other] ?? 0) < timeMs; other++) {
      if (matches[groupOf[other] ?? 0]) place += 1;
    }
    const of = groups.filter(isIn).reduce((sum, { finished }) => sum + finished, 0);
    return { place, of };
  }
  const ofRace = (group: Group) => group.distance === distance;
  const ofGender = (group: Group) => ofRace(group) && group.gender === gender;
  const ofCategory = (group: Group) => ofGender(group) && group.category === category;
  const best = groupOf.findIndex((group) => groups[group]?.distance === distance);
  return {
    ...runnerAt(ranking, row),
    // Until the result arrives, only the bib and the distance are public.
    ...(status === null && { gender: null, category: null }),
    name: detail?.name ?? null,
    distance: distance || null,
    status,
    chip_time: formatRaceTimeOrNull(timeOrNull(chipMs[row])),
    gun_time: formatRaceTimeOrNull(timeOrNull(gunMs[row])),
    gap: status === 'FINISHED' ? formatRaceTime(timeMs - (finishMs[best] ?? 0)) : null,
    overall: standing(ofRace),
    in_gender: gender ? standing(ofGender) : null,
    in_category: category ? standing(ofCategory) : null,
    splits: Object.entries(detail?.splits ?? {})
      .sort(([, one], [, other]) => one - other)
      .map(([name, timeMs]) => ({ name, time: formatRaceTime(timeMs) })),
  };
}
