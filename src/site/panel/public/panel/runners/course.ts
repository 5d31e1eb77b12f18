import type { Runner } from '../../../../../worker/results/panel-answer-schemas.ts';

/** A point of the course and the runner's time; null for a runner without a time. */
export type Point = readonly [name: string, time: string | null];

type Passed = Pick<Runner, 'distance' | 'splits' | 'result'>;

/** The points of each distance, and the earliest time at each point. */
export type Course = Map<string, Map<string, string>>;

/** Adds the points passed by runners. */
export function addPoints(course: Course, runners: readonly Passed[]) {
  for (const { distance, splits } of runners) {
    const points = course.get(distance ?? '') ?? new Map<string, string>();
    course.set(distance ?? '', points);
    for (const [name, time] of Object.entries(splits)) {
      const earliest = points.get(name);
      if (earliest === undefined || time < earliest) points.set(name, time);
    }
  }
}

/**
 * The points of a runner. A point passed by the distance's other runners has no time if the runner was seen later: the
 * course may have been cut.
 * @param ordered puts points into the order that the organization told
 */
export function pointsOf(
  course: Course,
  { distance, splits, result }: Passed,
  ordered: (byTime: readonly Point[]) => Point[],
): Point[] {
  const byTime = [...(course.get(distance ?? '') ?? [])]
    .sort(([, one], [, other]) => (one < other ? -1 : 1))
    .map(([name]): Point => [name, splits[name] ?? null]);
  const points = ordered(byTime);
  if (result?.status === 'FINISHED') return points;
  return points.slice(0, points.findLastIndex(([, time]) => time !== null) + 1);
}
