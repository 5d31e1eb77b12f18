import { lengthKm } from '../read/distance.ts';
import type { Result } from '../read/result.ts';
import { type DistanceTimes, distanceWarnings, spell } from './distances.ts';
import { createMeasures } from './measures.ts';
import { resultFindings } from './result-findings.ts';
import { type Warning, type WarningCode, warningIf } from './warning.ts';

/** The surroundings of a result that a person enters. */
export type Beside = {
  distance: string | null;
  /** The times of the distance's other finishers; null without other finishers. */
  others: Pick<DistanceTimes, 'count' | 'fastestMs' | 'slowestMs'> | null;
};

/** So many finishers say how long a distance takes. */
const OTHERS_MIN = 3;
/** A time is unlikely below this share of the fastest time, or above this multiple of the slowest time. */
const OF_FASTEST = 0.9;
const OF_SLOWEST = 1.5;
/** The last wave of a race starts within this time of the gun. */
const LAST_WAVE_MS = 90 * 60_000;

/** The findings of a file's measures in a single result, in words for a single result. */
const ABOUT_ONE: Partial<Record<WarningCode, string>> = {
  over_24_hours: 'The time is longer than 24 hours.',
  gun_below_chip: 'The gun time is below the chip time.',
};

/** The arguments against a result that a person enters, by the measures for files. */
export function correctionWarnings(result: Result, { distance, others }: Beside): Warning[] {
  const { chipTimeMs, gunTimeMs } = result;
  const timeMs = chipTimeMs ?? gunTimeMs;
  if (timeMs === null) return [];
  const measures = createMeasures();
  measures.add(1, result);
  const name = distance ?? '';
  const [ofLength] = distanceWarnings([
    { distance: name, count: 1, fastestMs: timeMs, slowestMs: timeMs },
  ]);
  const unlikely = [
    ...(ofLength ? [] : againstOthers(timeMs, name, others)),
    ...againstGun(chipTimeMs, gunTimeMs),
  ].map((detail): Warning => ({ code: 'implausible_for_distance', detail, rows: [] }));
  return [
    ...resultFindings(measures).flatMap(({ code }) =>
      warningIf(code in ABOUT_ONE, code, ABOUT_ONE[code] ?? ''),
    ),
    ...(ofLength
      ? [{ ...ofLength, detail: `${name} in ${spell(timeMs)}: nobody runs it so.` }]
      : []),
    ...unlikely,
    ...warningIf(
      result.splitTimesMs.some((splitMs) => !fits(splitMs, result)),
      'split_after_finish',
      'A split does not fit the time.',
    ),
  ];
}

/** Whether a split, since the start or since the gun, is before the finish and after the start. */
function fits(splitMs: number, { chipTimeMs, gunTimeMs }: Result): boolean {
  if (chipTimeMs === null || gunTimeMs === null) return splitMs <= (chipTimeMs ?? gunTimeMs ?? 0);
  return splitMs <= chipTimeMs || (splitMs >= gunTimeMs - chipTimeMs && splitMs <= gunTimeMs);
}

function againstOthers(timeMs: number, distance: string, others: Beside['others']): string[] {
  if (others === null || others.count < OTHERS_MIN) return [];
  const { fastestMs, slowestMs } = others;
  const of = distance && lengthKm(distance) !== undefined ? ` of ${distance}` : '';
  if (timeMs < fastestMs * OF_FASTEST) {
    return [`The time is ${spell(timeMs)}, and the fastest other one${of} is ${spell(fastestMs)}.`];
  }
  return timeMs > slowestMs * OF_SLOWEST
    ? [`The time is ${spell(timeMs)}, and the slowest other one${of} is ${spell(slowestMs)}.`]
    : [];
}

const againstGun = (chipTimeMs: number | null, gunTimeMs: number | null): string[] =>
  chipTimeMs !== null && gunTimeMs !== null && gunTimeMs - chipTimeMs > LAST_WAVE_MS
    ? [`The gun time is ${spell(gunTimeMs - chipTimeMs)} longer than the chip time.`]
    : [];
