import { formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { BoardList } from './answer-schemas.ts';
import { compareGroups, type Group, orderOf, placesIn, runnerOf, type Shown } from './ranking.ts';
import { type BoardListQuery, PAGE_SIZE } from './schemas.ts';

/** A page of a race's results. A page beyond the last one is the last one: the list may have become shorter. */
export function toList(
  { ranking, names }: Shown,
  { distance, gender, category, page: asked }: BoardListQuery,
): BoardList {
  const ofRace = ranking.groups.filter((group) => group.distance === distance);
  const isIn = (group: Group) =>
    group.distance === distance &&
    (gender === undefined || group.gender === gender) &&
    (category === undefined || group.category === category);
  const total = ofRace.filter(isIn).reduce((sum, { listed }) => sum + listed, 0);
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const page = Math.min(asked, pages);
  const first = (page - 1) * PAGE_SIZE;
  const order = orderOf(ranking, category !== undefined);
  const placed = placesIn(ranking.groups, order, isIn, first, first + PAGE_SIZE);
  const rows = placed.map(({ row, timeMs, place }) => ({
    ...runnerOf(row, names),
    status: row.status ?? ('FINISHED' as const),
    time: formatRaceTimeOrNull(timeMs),
    place,
  }));
  const groups = ofRace
    .filter(({ listed }) => listed > 0)
    .sort(compareGroups)
    .map(({ gender, category, listed }) => ({
      gender: gender || null,
      category: category || null,
      results: listed,
    }));
  return { groups, rows, total, page, pages };
}
