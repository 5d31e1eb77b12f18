import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import { createRanking, type Positions } from '../results/read/positions.ts';
import type { ExportedPassing, Passing, PassingPoint } from './answer-schemas.ts';
import type { ExportedRow, ListedPassing, PassingsPage, PointRow } from './queries.ts';

/** The public form of a passing. Each field by itself, because an export makes many of them. */
const toPassing = (row: ListedPassing, positions: Positions): Passing => ({
  inscription_id: row.registration_id,
  bib_number: row.bib_number,
  point: row.point,
  time: formatRaceTime(row.time_ms),
  gender: row.gender,
  category: row.category,
  distance: row.distance,
  position_overall: positions.position_overall,
  position_gender: positions.position_gender,
  position_category: positions.position_category,
  position_distance: positions.position_distance,
  position_distance_gender: positions.position_distance_gender,
  position_distance_category: positions.position_distance_category,
  received_at: row.received_at,
});

/** A ranking for each point. */
function createRankings() {
  const rankings = new Map<string, ReturnType<typeof createRanking>>();
  return (point: string) => {
    const ranking = rankings.get(point) ?? createRanking();
    rankings.set(point, ranking);
    return ranking;
  };
}

/** The passings of a page with their positions. */
export function passingsOf({ rows, faster_than_page }: PassingsPage): Passing[] {
  const rankingAt = createRankings();
  for (const [point, timeMs, gender, category, distance, runners] of faster_than_page) {
    const ranking = rankingAt(point);
    ranking.add(timeMs, ranking.groupsOf({ gender, category, distance }), runners);
  }
  return rows.map((row) => {
    const ranking = rankingAt(row.point);
    return toPassing(row, ranking.positionsOf(row.time_ms, ranking.groupsOf(row)));
  });
}

/** Makes the items of an export from its rows, which come in the order of time. */
export function exportedPassings(): (rows: readonly ExportedRow[]) => ExportedPassing[] {
  const rankingAt = createRankings();
  return (rows) => {
    const items: ExportedPassing[] = [];
    for (const row of rows) {
      const { point, time_ms } = row;
      const ranking = rankingAt(point);
      const groups = ranking.groupsOf(row);
      const positions = ranking.positionsOf(time_ms, groups);
      ranking.add(time_ms, groups, 1);
      if (row.is_listed) items.push({ ...toPassing(row, positions), time_ms });
    }
    return items;
  };
}

export const toPoint = ({ point, total, fastest_ms }: PointRow): PassingPoint => ({
  point,
  total,
  fastest_time: formatRaceTime(fastest_ms),
});
