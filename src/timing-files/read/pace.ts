import { isTooFast, isTooSlow, lengthKm } from './distance.ts';
import { kmOfPoint } from './point.ts';

/** A point passed by a runner. `time`: since the start, as `HH:MM:SS.mmm`. */
export type Passed = { name: string; time: string };

/** The length up to the last point of a runner, and the pace up to there. */
type Run = { km: number; secondsPerKm: number };

/**
 * @param kmOf how far a point is from the start
 * @param isSinceGun the runner's time at the start line is unknown: then the pace between the points counts
 * @returns undefined for unknown lengths, or for a pace that no runner runs
 */
export function runUpTo(
  splits: readonly Passed[],
  isSinceGun: boolean,
  kmOf: (point: string) => number | undefined = kmOfPoint,
): Run | undefined {
  const last = splits.at(-1);
  const first = isSinceGun && splits.length > 1 ? splits[0] : undefined;
  const km = last && kmOf(last.name);
  const firstKm = first ? kmOf(first.name) : 0;
  if (!last || !km || firstKm === undefined || firstKm >= km) return undefined;
  const seconds = secondsOf(last.time) - (first ? secondsOf(first.time) : 0);
  const secondsPerKm = seconds / (km - firstKm);
  return isRun(seconds, km - firstKm) ? { km, secondsPerKm } : undefined;
}

/**
 * The time from the last point to a place further on, at the pace up to the last point.
 * @param goalKm how far the place is from the start
 * @param kmOf and `isSinceGun`: as in `runUpTo`
 * @returns whole seconds; undefined for unknown lengths, or for a pace that no runner runs
 */
export function secondsTo(
  goalKm: number | undefined,
  splits: readonly Passed[],
  isSinceGun: boolean,
  kmOf: (point: string) => number | undefined = kmOfPoint,
): number | undefined {
  const run = runUpTo(splits, isSinceGun, kmOf);
  if (!run || !goalKm || run.km >= goalKm) return undefined;
  return Math.round(run.secondsPerKm * (goalKm - run.km));
}

/** @param time `HH:MM:SS.mmm` */
export const secondsOf = (time: string): number =>
  time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);

/** Whether some runner may take so long. */
export const isRun = (seconds: number, km: number): boolean =>
  !isTooFast(1_000 * seconds, km) && !isTooSlow(1_000 * seconds, km);

/**
 * The pace of a race time, in whole seconds a kilometre, rounded down as watches do.
 * @param time `HH:MM:SS.mmm`
 * @returns undefined without a time or a length, and for a pace that no runner runs
 */
export function paceSeconds(time: string | null, distance: string | null): number | undefined {
  const km = lengthKm(distance ?? '');
  if (time === null || km === undefined) return undefined;
  const seconds = secondsOf(time);
  return isRun(seconds, km) ? Math.floor(seconds / km) : undefined;
}
