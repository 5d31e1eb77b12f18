import { Pattern } from '../read/pattern.ts';
import { withoutAccents } from '../read/words.ts';
import { type Warning, warningIf } from './warning.ts';

/** The fastest and the slowest finish time of a distance. */
export type DistanceTimes = {
  distance: string;
  count: number;
  fastestMs: number;
  slowestMs: number;
};

/** Faster than any runner, and slower than any walker. Bicycle races are faster and get the warning too. */
const FASTEST_MS_PER_KM = 120_000;
const SLOWEST_MS_PER_KM = 45 * 60_000;

/** Warns of times that do not fit the distance of their registrations. */
export function distanceWarnings(distances: readonly DistanceTimes[]): Warning[] {
  const words = implausibleTimes(distances);
  const detail = `The times do not fit the distance: ${words.join(', ')}. Check the column and the time_format.`;
  return warningIf(words.length > 0, 'implausible_for_distance', detail);
}

const implausibleTimes = (distances: readonly DistanceTimes[]): string[] =>
  distances.flatMap(({ distance, count, fastestMs, slowestMs }) => {
    const km = kilometres(distance);
    if (km === undefined || count === 0) return [];
    if (fastestMs < km * FASTEST_MS_PER_KM) {
      return [`the fastest ${distance} takes ${spell(fastestMs)}`];
    }
    const isSlow = slowestMs > km * SLOWEST_MS_PER_KM;
    return isSlow ? [`the slowest ${distance} takes ${spell(slowestMs)}`] : [];
  });

const NAMED_KM: [Pattern, number][] = [
  [new Pattern(/\b(half|media|meia|mezza|demi|semi|halb|halve|mitja)/), 21.0975],
  [new Pattern(/\bmarat/), 42.195],
];

const UNIT_KM: Record<string, number> = { k: 1, km: 1, kms: 1, kilometros: 1, kilometres: 1 };

const LENGTH = new Pattern(
  /(?<![\d.,])(\d+(?:[.,]\d+)?)\s*(kms?|kilometros|kilometres|k|mi|miles?|millas|m)\b/,
);

/** The length that a distance's name says, as in 10K, 21,1 km, 5 miles, Media maratón. */
export function kilometres(distance: string): number | undefined {
  const plain = withoutAccents(distance).toLowerCase();
  const [, number = '', unit = ''] = LENGTH.groups(plain);
  if (number === '') return NAMED_KM.find(([pattern]) => pattern.test(plain))?.[1];
  const value = Number(number.replace(',', '.'));
  if (unit === 'm') return value >= 100 ? value / 1_000 : undefined;
  return value * (UNIT_KM[unit] ?? 1.609344);
}

function spell(timeMs: number): string {
  const minutes = Math.floor(timeMs / 60_000);
  const seconds = Math.floor((timeMs % 60_000) / 1_000);
  return minutes < 60
    ? `${minutes} min ${seconds} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
