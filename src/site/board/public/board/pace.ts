import { isTooFast, isTooSlow, lengthKm } from '../../../../timing-files/read/distance.ts';

/** How far a point is from the start: `Km 10`, `10K`, `15,3 km`. */
function pointKm(point: string): number | undefined {
  const [, km] = /^km\.?\s*(\d+(?:[.,]\d+)?)$/i.exec(point.trim()) ?? [];
  if (km) return Number(km.replace(',', '.'));
  // "Half" alone is half of the course.
  return /\d|marat/i.test(point) ? lengthKm(point) : undefined;
}

/**
 * The time of the finish, at the pace up to a point.
 * @param time at the point, as `HH:MM:SS.mmm`
 * @returns whole minutes; undefined unless both lengths are known, or if nobody runs at this pace
 */
export function expectedMinutes(time: string, point: string, distance: string | null) {
  const [km, course] = [pointKm(point), lengthKm(distance ?? '')];
  const seconds = secondsOf(time);
  if (!km || !course || km >= course || !isRun(seconds, km)) return undefined;
  return Math.round(((seconds / km) * course) / 60);
}

const secondsOf = (time: string): number =>
  time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);

const isRun = (seconds: number, km: number): boolean =>
  !isTooFast(1_000 * seconds, km) && !isTooSlow(1_000 * seconds, km);

/**
 * The pace of a race time, in whole seconds a kilometre, rounded down as watches do.
 * @param time `HH:MM:SS.mmm`
 * @returns undefined without a time or a length, and if nobody runs at this pace
 */
export function paceSeconds(time: string | null, distance: string | null): number | undefined {
  const km = lengthKm(distance ?? '');
  if (time === null || km === undefined) return undefined;
  const seconds = secondsOf(time);
  return isRun(seconds, km) ? Math.floor(seconds / km) : undefined;
}
