import { foldedPoint, kmOfPoint } from '../../timing-files/read/point.ts';
import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import type { BoardPassing, BoardPoint } from './answer-schemas.ts';
import type { Course, Passing, Span } from './course.ts';
import { hasStarted, publicRunnerOf, type Row, type Shown } from './ranking.ts';

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
      return row && hasStarted(row)
        ? [{ ...publicRunnerOf(row, names), time: formatRaceTime(time_ms) }]
        : [];
    });
  const races = new Set(ranking.groups.map(({ distance }) => distance));
  return new Map(
    [...races].map((distance) => [
      distance,
      pointsOfRace(course, distance).map(({ point, passed, spans, first, latest, km }, at) => ({
        point,
        order: at + 1,
        km: km ?? kmOfPoint(point) ?? null,
        passed,
        first: shown(first),
        latest: shown(latest),
        quantiles: quantilesOf(spans).map((ms) => Math.round(ms / 1_000)),
      })),
    ]),
  );
}

/** The points of a race. A told point with passings counts once. */
function pointsOfRace(course: Course, distance: string): Course {
  const seen = new Set(
    course
      .filter((one) => one.distance === distance && one.passed > 0)
      .map(({ point }) => foldedPoint(point)),
  );
  return course.filter(
    (one) =>
      (one.distance === distance && one.passed > 0) ||
      ((one.distance ?? distance) === distance && isNew(seen, foldedPoint(one.point))),
  );
}

const isNew = (seen: Set<string>, name: string) => !seen.has(name) && seen.add(name).size > 0;

const QUANTILES = 21;

/**
 * The times at which equal parts of the passers had passed. The passers of a span are spread evenly from the fastest to
 * the slowest of them, so the times of a span with one or two passers are exact.
 */
export function quantilesOf(spans: readonly Span[]): number[] {
  const passed = spans.reduce((sum, [, count]) => sum + count, 0);
  if (passed === 0) return [];
  const times: number[] = [];
  let before = 0;
  for (const [, count, fastestMs, slowestMs] of spans) {
    const isLast = before + count === passed;
    // Quantiles between the last passer of a span and the first of the next one belong to the later span.
    while (times.length < QUANTILES) {
      const rank = (times.length / (QUANTILES - 1)) * (passed - 1) - before;
      if (rank > count - 1 && !(isLast && times.length === QUANTILES - 1)) break;
      const part = count === 1 ? 0 : Math.min(1, Math.max(0, rank) / (count - 1));
      times.push(fastestMs + part * (slowestMs - fastestMs));
    }
    before += count;
  }
  return times;
}
