import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { BoardResult } from './answer-schemas.ts';
import type { Detail } from './details.ts';
import { type Group, groupAt, type Ranking, runnerAt, statusAt, timeOrNull } from './ranking.ts';

export function toResult(ranking: Ranking, row: number, detail: Detail | undefined): BoardResult {
  const { groups, groupOf, chipMs, gunMs, finishMs } = ranking;
  const { distance, gender, category } = groupAt(ranking, row);
  const status = statusAt(ranking, row) ?? null;
  const timeMs = finishMs[row] ?? 0;
  const isFinished = status === 'FINISHED';
  const faster = new Uint32Array(groups.length);
  for (let other = 0; isFinished && (finishMs[other] ?? 0) < timeMs; other++) {
    const group = groupOf[other] ?? 0;
    faster[group] = (faster[group] ?? 0) + 1;
  }
  const standing = (isIn: (group: Group) => boolean): BoardResult['overall'] => {
    if (!isFinished) return null;
    let [place, of] = [1, 0];
    groups.forEach((group, index) => {
      if (!isIn(group)) return;
      place += faster[index] ?? 0;
      of += group.finished;
    });
    return { place, of };
  };
  const ofRace = (group: Group) => group.distance === distance;
  const ofGender = (group: Group) => ofRace(group) && group.gender === gender;
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
    gap: isFinished ? formatRaceTime(timeMs - (finishMs[best] ?? 0)) : null,
    overall: standing(ofRace),
    in_gender: gender ? standing(ofGender) : null,
    in_category: category
      ? standing((group) => ofGender(group) && group.category === category)
      : null,
    splits: Object.entries(detail?.splits ?? {})
      .sort(([, one], [, other]) => one - other)
      .map(([name, timeMs]) => ({ name, time: formatRaceTime(timeMs) })),
  };
}
