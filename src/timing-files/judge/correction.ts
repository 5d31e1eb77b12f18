import { lengthKm } from '../read/distance.ts';
import type { Result } from '../read/result.ts';
import { type DistanceTimes, distanceWarnings, spell } from './distances.ts';
import { createMeasures } from './measures.ts';
import { resultFindings } from './result-findings.ts';
import { type SentenceName, type Told, worded } from './sentences.ts';
import { type Warning, warningIf } from './warning.ts';
import type { WarningCode } from './warning-codes.ts';

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
const ABOUT_ONE = {
  over_24_hours: 'over_24_hours:one',
  gun_below_chip: 'gun_below_chip:one',
} as const satisfies Partial<Record<WarningCode, SentenceName>>;

const isAboutOne = (code: WarningCode): code is keyof typeof ABOUT_ONE => code in ABOUT_ONE;

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
  ].map((one): Warning => ({ ...one, rows: [] }));
  return [
    ...resultFindings(measures).flatMap(({ code }) =>
      isAboutOne(code) ? warningIf(true, ABOUT_ONE[code], {}) : [],
    ),
    ...warningIf(ofLength !== undefined, 'implausible_for_distance:one', {
      distance: name,
      time: spell(timeMs),
    }),
    ...unlikely,
    ...warningIf(
      result.splitTimesMs.some((splitMs) => !fits(splitMs, result)),
      'split_after_finish:one',
      {},
    ),
  ];
}

/** Whether a split, since the start or since the gun, is before the finish and after the start. */
function fits(splitMs: number, { chipTimeMs, gunTimeMs }: Result): boolean {
  if (chipTimeMs === null || gunTimeMs === null) return splitMs <= (chipTimeMs ?? gunTimeMs ?? 0);
  return splitMs <= chipTimeMs || (splitMs >= gunTimeMs - chipTimeMs && splitMs <= gunTimeMs);
}

function againstOthers(timeMs: number, distance: string, others: Beside['others']): Told[] {
  if (others === null || others.count < OTHERS_MIN) return [];
  const { fastestMs, slowestMs } = others;
  const of = distance && lengthKm(distance) !== undefined ? '_of' : '';
  const isFast = timeMs < fastestMs * OF_FASTEST;
  if (!isFast && timeMs <= slowestMs * OF_SLOWEST) return [];
  const other = spell(isFast ? fastestMs : slowestMs);
  const values = { time: spell(timeMs), other, distance };
  return [worded(`implausible_for_distance:${isFast ? 'fastest' : 'slowest'}${of}`, values)];
}

const againstGun = (chipTimeMs: number | null, gunTimeMs: number | null): Told[] =>
  chipTimeMs !== null && gunTimeMs !== null && gunTimeMs - chipTimeMs > LAST_WAVE_MS
    ? [worded('implausible_for_distance:gun', { time: spell(gunTimeMs - chipTimeMs) })]
    : [];
