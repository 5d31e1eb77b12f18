import { formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { BoardList } from './answer-schemas.ts';
import {
  compareGroups,
  type Group,
  placesIn,
  type Ranking,
  runnerAt,
  statusAt,
  timeOrNull,
  type Unnamed,
} from './ranking.ts';
import { type BoardListQuery, PAGE_SIZE } from './schemas.ts';

/** A page of a race's results. A page beyond the last one is the last one: the list may have become shorter. */
export function toList(
  ranking: Ranking,
  { distance, gender, category, page: asked }: BoardListQuery,
): Unnamed<BoardList> {
  const ofRace = (group: Group) => group.distance === distance;
  const isIn = (group: Group) =>
    ofRace(group) &&
    (gender === undefined || group.gender === gender) &&
    (category === undefined || group.category === category);
  const total = ranking.groups.filter(isIn).reduce((sum, { listed }) => sum + listed, 0);
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const page = Math.min(asked, pages);
  const first = (page - 1) * PAGE_SIZE;
  const places = placesIn(ranking, isIn, first, first + PAGE_SIZE);
  const rows = places.map(({ row, place }) => ({
    ...runnerAt(ranking, row),
    status: statusAt(ranking, row) ?? ('FINISHED' as const),
    time: formatRaceTimeOrNull(timeOrNull(ranking.finishMs[row])),
    place,
  }));
  const groups = ranking.groups
    .filter((group) => ofRace(group) && group.listed > 0)
    .sort(compareGroups)
    .map(({ gender, category, listed }) => ({
      gender: gender || null,
      category: category || null,
      results: listed,
    }));
  return {
    body: { groups, rows, total, page, pages },
    runners: rows.map((runner, at) => ({ runner, id: ranking.idAt(places[at]?.row ?? 0) })),
  };
}
