import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import type { BoardPassing, BoardPoint } from './answer-schemas.ts';
import type { Passing } from './course.ts';
import { publicRunnerOf, type Row, type Shown } from './ranking.ts';

export function pointsByDistance({ ranking, names, course }: Shown): Map<string, BoardPoint[]> {
  if (course.length === 0) return new Map();
  const wanted = new Set(
    course.flatMap(({ first, latest }) => [...first, ...latest].map(({ id }) => id)),
  );
  const rows = new Map<string, Row>();
  for (const row of ranking.rows) if (wanted.has(row.id)) rows.set(row.id, row);
  const shown = (passings: readonly Passing[]): BoardPassing[] =>
    passings.flatMap(({ id, time_ms }) => {
      const row = rows.get(id);
      return row ? [{ ...publicRunnerOf(row, names), time: formatRaceTime(time_ms) }] : [];
    });
  const points = new Map<string, BoardPoint[]>();
  for (const { distance, point, passed, first, latest } of course) {
    const ofRace = points.get(distance) ?? [];
    ofRace.push({ point, passed, first: shown(first), latest: shown(latest) });
    points.set(distance, ofRace);
  }
  return points;
}
