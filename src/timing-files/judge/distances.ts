import { isRacePace, isTooFast, isTooSlow, lengthKm } from '../read/distance.ts';
import { worded } from './sentences.ts';
import type { Warning } from './warning.ts';

/** The fastest and the slowest finish time of a distance. */
export type DistanceTimes = {
  distance: string;
  count: number;
  fastestMs: number;
  slowestMs: number;
};

/** Warns of times that contradict the distance of their registrations. */
export function distanceWarnings(distances: readonly DistanceTimes[]): Warning[] {
  const found = implausibleTimes(distances);
  if (found.length === 0) return [];
  const why = found.map(({ which, distance, time }) => `the ${which} ${distance} takes ${time}`);
  const times = found.map(({ distance, time }) => `${distance}: ${time}`);
  const values = { why: why.join(', ') };
  return [{ ...worded('implausible_for_distance', values, { times }), rows: [] }];
}

/** Whether most finishers have a distance, and the fastest runner of each distance ran. Times of day look slower. */
export function areRaceTimes(distances: readonly DistanceTimes[], finishers: number): boolean {
  const known = distances.reduce((sum, { count }) => sum + count, 0);
  return known * 2 > finishers && distances.every(isRun);
}

function isRun({ distance, fastestMs }: DistanceTimes): boolean {
  const km = lengthKm(distance);
  return km !== undefined && isRacePace(fastestMs, km) && !isTooFast(fastestMs, km);
}

const implausibleTimes = (distances: readonly DistanceTimes[]) =>
  distances.flatMap(({ distance, count, fastestMs, slowestMs }) => {
    const km = lengthKm(distance);
    if (km === undefined || count === 0) return [];
    if (isTooFast(fastestMs, km)) {
      return [{ which: 'fastest', distance, time: spell(fastestMs) }];
    }
    return isTooSlow(slowestMs, km) ? [{ which: 'slowest', distance, time: spell(slowestMs) }] : [];
  });

export function spell(timeMs: number): string {
  const minutes = Math.floor(timeMs / 60_000);
  const seconds = Math.floor((timeMs % 60_000) / 1_000);
  return minutes < 60
    ? `${minutes} min ${seconds} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
