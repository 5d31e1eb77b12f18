import { formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { BoardEntry, BoardList } from './answer-schemas.ts';
import {
  compareGroups,
  type Group,
  type ListKind,
  placedIn,
  resultsIn,
  rowsIn,
  runnerOf,
  type Shown,
} from './ranking.ts';
import { type BoardListQuery, PAGE_SIZE } from './schemas.ts';

/** The groups of the wanted results. An undefined column matches any group. */
type Wanted = { [Column in keyof Group]?: string | undefined };

/** The number of results of some groups, and the results from an index on. */
export function entriesOf(
  { ranking, names }: Shown,
  { distance, gender, category }: Wanted,
  pageOf: (total: number) => { offset: number; limit: number },
): { total: number; rows: BoardEntry[] } {
  const isIn = (group: Group) =>
    (distance === undefined || group.distance === distance) &&
    (gender === undefined || group.gender === gender) &&
    (category === undefined || group.category === category);
  const total = ranking.groups.filter(isIn).reduce((sum, { listed }) => sum + listed, 0);
  const { offset, limit } = pageOf(total);
  const kind: ListKind =
    category !== undefined ? 'category' : gender !== undefined ? 'gender' : 'race';
  const results = resultsIn(ranking.groups, rowsIn(ranking, kind), isIn, offset, offset + limit);
  const rows = results.map((row) => {
    const { timeMs, place } = placedIn(kind, row);
    return {
      ...runnerOf(row, names),
      status: row.status ?? ('FINISHED' as const),
      time: formatRaceTimeOrNull(timeMs),
      place,
      distance: row.group.distance || null,
    };
  });
  return { total, rows };
}

/** A page of a race's results. A page beyond the last page is the last page: the list may have become shorter. */
export function toList(shown: Shown, { page: asked, ...wanted }: BoardListQuery): BoardList {
  let [page, pages] = [1, 1];
  const { total, rows } = entriesOf(shown, wanted, (count) => {
    pages = Math.max(1, Math.ceil(count / PAGE_SIZE));
    page = Math.min(asked, pages);
    return { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
  });
  const groups = shown.ranking.groups
    .filter(({ distance, listed }) => distance === wanted.distance && listed > 0)
    .sort(compareGroups)
    .map(({ gender, category, listed }) => ({
      gender: gender || null,
      category: category || null,
      results: listed,
    }));
  return { groups, rows: rows.map(({ distance, ...row }) => row), total, page, pages };
}
