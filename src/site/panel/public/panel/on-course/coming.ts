import type { OnCourseRunner } from '../../../../../worker/results/panel-answer-schemas.ts';

/** The speaker reads so many names at a point. */
const NAMED = 10;

/** A runner this late has probably stopped, and is no longer announced. */
const STOPPED_MS = 5 * 60_000;

/** A runner on the way to a point, or to the finish. `atMs` is unknown for a start that nobody told. */
export interface Coming {
  readonly runner: OnCourseRunner;
  readonly atMs: number | undefined;
  /** The expected race time there, as `HH:MM:SS.mmm`. */
  readonly time: string;
}

/**
 * Who comes next at each point and at the finish, the next runner first.
 * @param points the points in the order of the course
 * @returns the finish, named null, and the points from the last one to the first one. A place without runners is left
 * out
 */
export function comingTo(
  runners: readonly OnCourseRunner[],
  points: readonly string[],
  nowMs: number,
): [point: string | null, Coming[]][] {
  const coming = runners.flatMap((runner) => {
    const time = runner.next_time;
    const atMs = runner.next_at === null ? undefined : Date.parse(runner.next_at);
    return time === null || (atMs ?? nowMs) < nowMs - STOPPED_MS ? [] : [{ runner, atMs, time }];
  });
  const order = ({ atMs = Number.POSITIVE_INFINITY }: Coming) => atMs;
  const places = Map.groupBy(coming, ({ runner }) => runner.next_point);
  const nearness = (point: string | null) =>
    point === null ? Number.POSITIVE_INFINITY : points.indexOf(point);
  return [...places]
    .sort(([one], [other]) => compare(nearness(other), nearness(one)))
    .map(([point, all]) => {
      const sorted = all.sort(
        (one, other) => compare(order(one), order(other)) || (one.time < other.time ? -1 : 1),
      );
      return [point, sorted.slice(0, NAMED)];
    });
}

const compare = <Value extends number | string>(one: Value, other: Value) =>
  one === other ? 0 : one < other ? -1 : 1;

/**
 * Sorts the next expected finish first, then the finishes without a told start by race time, then the runners without an
 * expected finish.
 */
export const byFinish = (one: OnCourseRunner, other: OnCourseRunner): number =>
  compare(finishOf(one), finishOf(other));

/** `~` stands behind all digits. */
const finishOf = ({ finish_at, finish_time }: OnCourseRunner) =>
  finish_at ?? `~${finish_time ?? '~'}`;
