import { kmOfPoint } from '../../timing-files/read/point.ts';
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
      // The runner of such a passing may have another bib. A person decides.
      return row && row.status !== 'DNS'
        ? [{ ...publicRunnerOf(row, names), time: formatRaceTime(time_ms) }]
        : [];
    });
  const points = new Map<string, BoardPoint[]>();
  for (const { distance, point, passed, first, latest, km } of course) {
    const ofRace = points.get(distance) ?? [];
    ofRace.push({
      point,
      order: ofRace.length + 1,
      km: km ?? kmOfPoint(point) ?? null,
      passed,
      first: shown(first),
      latest: shown(latest),
    });
    points.set(distance, ofRace);
  }
  return points;
}
