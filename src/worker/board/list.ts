import { formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { BoardList } from './answer-schemas.ts';
import { compareGroups } from './compare-names.ts';
import { bibAt, groupAt, type Ranking, statusAt, timeOrNull } from './ranking.ts';
import { type BoardListQuery, PAGE_SIZE } from './schemas.ts';

/** A page of a race's results: rows of the ranking, each with its place among those that match. */
type ListPage = {
  rows: { row: number; place: number | null }[];
  total: number;
  page: number;
};

export function findPage(ranking: Ranking, query: BoardListQuery): ListPage {
  const { distance, gender, category } = query;
  const { groups, groupOf, finishMs, listed, finished } = ranking;
  const matches = groups.map(
    (group) =>
      group.distance === distance &&
      (gender === undefined || group.gender === gender) &&
      (category === undefined || group.category === category),
  );
  const total = groups.reduce((sum, group, at) => sum + (matches[at] ? group.listed : 0), 0);
  // A page beyond the last one is the last one: the list may have become shorter.
  const page = Math.min(query.page, pagesOf(total));
  const first = (page - 1) * PAGE_SIZE;
  const last = Math.min(first + PAGE_SIZE, total);
  const rows: ListPage['rows'] = [];
  let [matched, place, timeMs] = [0, 0, Number.NaN];
  for (let row = 0; first < last && matched < last && row < listed; row++) {
    if (!matches[groupOf[row] ?? 0]) continue;
    matched += 1;
    if (finishMs[row] !== timeMs) {
      place = matched;
      timeMs = finishMs[row] ?? 0;
    }
    if (matched > first) rows.push({ row, place: row < finished ? place : null });
  }
  return { rows, total, page };
}

const pagesOf = (total: number): number => Math.max(1, Math.ceil(total / PAGE_SIZE));

/** @param nameOf the public name in a row of the ranking */
export const toList = (
  ranking: Ranking,
  { distance }: BoardListQuery,
  { rows, total, page }: ListPage,
  nameOf: (row: number) => string | null,
): BoardList => ({
  groups: groupsOf(ranking, distance),
  rows: rows.map(({ row, place }) => {
    const { gender, category } = groupAt(ranking, row);
    return {
      bib_number: bibAt(ranking, row),
      name: nameOf(row),
      gender: gender || null,
      category: category || null,
      status: statusAt(ranking, row) ?? 'FINISHED',
      time: formatRaceTimeOrNull(timeOrNull(ranking.finishMs[row])),
      place,
    };
  }),
  total,
  page,
  pages: pagesOf(total),
});

/** How many results each gender and category of the race has. */
const groupsOf = ({ groups }: Ranking, distance: string): BoardList['groups'] =>
  groups
    .filter((group) => group.distance === distance && group.listed > 0)
    .sort(compareGroups)
    .map(({ gender, category, listed }) => ({
      gender: gender || null,
      category: category || null,
      results: listed,
    }));
