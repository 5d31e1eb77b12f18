import { lengthKm } from '../../timing-files/read/distance.ts';
import { type Passed, secondsTo } from '../../timing-files/read/pace.ts';
import { foldedPoint, isStartLine, kmOn } from '../../timing-files/read/point.ts';
import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { OnCoursePage, OnCourseRow } from './list-on-course.ts';
import type { OnCourseRunner } from './panel-answer-schemas.ts';

type Point = OnCoursePage['told'][number];

export function toOnCourseRunners(
  { rows, told, progress }: OnCoursePage,
  nowMs: number,
): OnCourseRunner[] {
  const seen = progress.points.map(
    ({ point: name }, at): Point => ({ name, distance: null, order: at + 1, km: null }),
  );
  const points = told.length > 0 ? told : seen;
  return rows.map((row) => toOnCourseRunner(row, points, nowMs));
}

function toOnCourseRunner(
  row: OnCourseRow,
  points: readonly Point[],
  nowMs: number,
): OnCourseRunner {
  const {
    last_ms: lastMs,
    started_ms: startedMs,
    splits,
    category_place,
    has_started,
    ...runner
  } = row;
  const km = lengthKm(runner.distance ?? '');
  const kmOf = (name: string) => kmOn(points, name, runner.distance);
  const next = nextPoint(row, points, km, kmOf);
  const pace = paceOf(splits);
  const expectedMs = (goalKm: number | undefined): number | null => {
    // Another runner may have the bib.
    if (!has_started) return null;
    const seconds = secondsTo(goalKm, pace.splits, pace.isSinceGun, kmOf);
    return seconds === undefined ? null : lastMs + 1_000 * seconds;
  };
  const at = (ms: number | null): string | null =>
    startedMs === null || ms === null ? null : new Date(startedMs + ms).toISOString();
  const finishMs = expectedMs(km);
  const nextMs = next === undefined ? finishMs : expectedMs(kmOf(next));
  return {
    ...runner,
    time: formatRaceTime(lastMs),
    passed_at: at(lastMs),
    seconds_since: startedMs === null ? null : Math.floor((nowMs - startedMs - lastMs) / 1_000),
    category_place_at_point: category_place,
    next_point: next ?? null,
    next_time: formatRaceTimeOrNull(nextMs),
    next_at: at(nextMs),
    finish_time: formatRaceTimeOrNull(finishMs),
    finish_at: at(finishMs),
  };
}

/** The point after the last point of a runner; undefined before the finish. */
function nextPoint(
  { point, distance }: OnCourseRow,
  points: readonly Point[],
  length: number | undefined,
  kmOf: (name: string) => number | undefined,
): string | undefined {
  const course = points
    .filter((one) => (one.distance ?? distance) === distance && !isStartLine(one.name))
    .filter(({ name }) => length === undefined || (kmOf(name) ?? 0) < length)
    .toSorted((one, other) => one.order - other.order);
  const own = course.findIndex(({ name }) => foldedPoint(name) === foldedPoint(point));
  // A point outside the told course says nothing about the next point, unless the kilometres do.
  const km = kmOf(point) ?? 0;
  const isAfter = (one: Point, at: number) =>
    own === -1 ? (kmOf(one.name) ?? 0) > km || isStartLine(point) : at > own;
  return course.find(isAfter)?.name;
}

/** The passings up to the last point: since the start line, if a point there saw the runner, else since the gun. */
function paceOf(splits: OnCourseRow['splits']): { splits: Passed[]; isSinceGun: boolean } {
  const all = Object.entries(splits).sort(([, one], [, other]) => one - other);
  const delayMs = all.find(([name]) => isStartLine(name))?.[1];
  return {
    splits: all
      .filter(([name]) => !isStartLine(name))
      .map(([name, ms]) => ({ name, time: formatRaceTime(ms - (delayMs ?? 0)) })),
    isSinceGun: delayMs === undefined,
  };
}
