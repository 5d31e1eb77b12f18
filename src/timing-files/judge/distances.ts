import { isRacePace, isTooFast, isTooSlow, lengthKm } from '../read/distance.ts';
import { type Warning, warningIf } from './warning.ts';

export type DistanceTimes = {
  distance: string;
  count: number;
  fastestMs: number;
  slowestMs: number;
};

/** Warns of times that do not fit the distance of their registrations. */
export function distanceWarnings(distances: readonly DistanceTimes[]): Warning[] {
  const words = distances.flatMap(({ distance, fastestMs, slowestMs }) => {
    const km = lengthKm(distance);
    if (km === undefined) return [];
    if (isTooFast(fastestMs, km)) return [`the fastest ${distance} takes ${spell(fastestMs)}`];
    return isTooSlow(slowestMs, km) ? [`the slowest ${distance} takes ${spell(slowestMs)}`] : [];
  });
  const detail = `The times do not fit the distance: ${words.join(', ')}. Check the column and the time_format.`;
  return warningIf(words.length > 0, 'implausible_for_distance', detail);
}

/** Whether most finishers have a distance, and the fastest of each ran it. Times of day look slower. */
export function areRaceTimes(distances: readonly DistanceTimes[], finishers: number): boolean {
  const known = distances.reduce((sum, { count }) => sum + count, 0);
  const areRun = distances.every(({ distance, fastestMs }) => {
    const km = lengthKm(distance);
    return km !== undefined && isRacePace(fastestMs, km) && !isTooFast(fastestMs, km);
  });
  return known * 2 > finishers && areRun;
}

export function spell(timeMs: number): string {
  const minutes = Math.floor(timeMs / 60_000);
  const seconds = Math.floor((timeMs % 60_000) / 1_000);
  return minutes < 60
    ? `${minutes} min ${seconds} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
