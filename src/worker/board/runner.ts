import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { BoardResult } from './answer-schemas.ts';
import type { Detail } from './details.ts';
import { bibAt, type Group, groupAt, type Ranking, statusAt, timeOrNull } from './ranking.ts';

export function toResult(ranking: Ranking, row: number, detail: Detail | undefined): BoardResult {
  const { distance, gender, category } = groupAt(ranking, row);
  const status = statusAt(ranking, row) ?? null;
  const runner = { bib_number: bibAt(ranking, row), distance: distance || null, status };
  if (status === null) {
    return {
      ...{ ...runner, name: null, gender: null, category: null, splits: [] },
      ...{
        chip_time: null,
        gun_time: null,
        gap: null,
        overall: null,
        in_gender: null,
        in_category: null,
      },
    };
  }
  const faster = status === 'FINISHED' ? countFaster(ranking, row) : undefined;
  const placeAmong = (isIn: (group: Group) => boolean) =>
    faster ? standing(ranking, faster, isIn) : null;
  const ofRace = (group: Group) => group.distance === distance;
  const ofGender = (group: Group) => ofRace(group) && group.gender === gender;
  return {
    ...runner,
    name: detail?.name ?? null,
    gender: gender || null,
    category: category || null,
    chip_time: formatRaceTimeOrNull(timeOrNull(ranking.chipMs[row])),
    gun_time: formatRaceTimeOrNull(timeOrNull(ranking.gunMs[row])),
    gap: faster ? formatRaceTime((ranking.finishMs[row] ?? 0) - bestMs(ranking, ofRace)) : null,
    overall: placeAmong(ofRace),
    in_gender: gender ? placeAmong(ofGender) : null,
    in_category: category
      ? placeAmong((group) => ofGender(group) && group.category === category)
      : null,
    splits: Object.entries(detail?.splits ?? {})
      .sort(([, one], [, other]) => one - other)
      .map(([name, timeMs]) => ({ name, time: formatRaceTime(timeMs) })),
  };
}

/** The best time of a race that has a finisher. */
function bestMs({ groups, groupOf, finishMs }: Ranking, isIn: (group: Group) => boolean): number {
  const matches = groups.map(isIn);
  return finishMs[groupOf.findIndex((group) => matches[group] === true)] ?? 0;
}

/** The place of a finisher among the finishers of some groups. */
function standing(
  { groups }: Ranking,
  faster: Uint32Array,
  isIn: (group: Group) => boolean,
): BoardResult['overall'] {
  let [place, of] = [1, 0];
  groups.forEach((group, index) => {
    if (!isIn(group)) return;
    place += faster[index] ?? 0;
    of += group.finished;
  });
  return { place, of };
}

/** How many finishers of each group are faster. */
function countFaster({ groups, groupOf, finishMs }: Ranking, row: number): Uint32Array {
  const faster = new Uint32Array(groups.length);
  const timeMs = finishMs[row] ?? 0;
  for (let other = 0; other < row && (finishMs[other] ?? 0) < timeMs; other++) {
    const group = groupOf[other] ?? 0;
    faster[group] = (faster[group] ?? 0) + 1;
  }
  return faster;
}
