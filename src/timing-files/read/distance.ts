import { Pattern } from './pattern.ts';
import { withoutAccents } from './words.ts';

/** The sport's names for distances that are not a whole number of kilometres. */
const EXACT_KM: Readonly<Record<number, number>> = { 21: 21.0975, 42: 42.195 };
const HALF_KM = 21.0975;
const FULL_KM = 42.195;
const MILE_KM = 1.609344;

/** A length in a name, with the unit. An `x` before the length marks a relay: `4x10K`. */
const LENGTH = new Pattern(
  /(x\s*)?(?<![\d.,])(\d+(?:[.,]\d+)?)\s*(kms?|kilomet(?:er|re|ro)s?|k|mi|miles?|millas?|mts?|met(?:er|re|ro)s?|m)(?![\p{L}\d])/giu,
);
const IN_KM = new Pattern(/^k/i);
const IN_MILES = new Pattern(/^mi/i);

/** Trail races write miles as `100M`; a distance of the track is as long in metres. Some race is 240 miles. */
const MILES_MAX = 300;
/** A shorter length is no race: `5m` may be miles. */
const METRES_MIN = 100;

const HALF = new Pattern(/\b(half|media|meia|mezza|demi|semi|halb|halve|mitja|1\/2)/);
const FULL = new Pattern(/(^|\bhalb|\bhalve|[^\p{L}])marat/u);
/** The word marathon is part of these races' names, and no runner runs a marathon in such a race. */
const OTHER_RACE = new Pattern(
  /\b(mini|ultra|kids?|child|infantil|ninos|quarter|cuarto|1\/4|relay|relevos?|postas?|ekiden|staffel|relais|staffetta)/,
);

/**
 * The length of a race, in kilometres, from the race's name: `10K`, `5,5 km`, `1500 m`, `10 miles`, `100M`, `Trail
 * 21K`, `Half marathon`.
 * @returns undefined if the name has no length, several lengths, or a relay's length
 */
export function lengthKm(distance: string): number | undefined {
  const lengths = LENGTH.allGroups(withoutAccents(distance));
  const [first, another] = lengths;
  if (!first) return namedKm(withoutAccents(distance).toLowerCase());
  const [, times, number = '', unit = ''] = first;
  if (another || times) return undefined;
  const length = Number(number.replace(',', '.'));
  return length > 0 ? kmIn(length, unit) : undefined;
}

function kmIn(length: number, unit: string): number | undefined {
  if (IN_KM.test(unit)) return EXACT_KM[length] ?? length;
  if (IN_MILES.test(unit) || (unit === 'M' && length < MILES_MAX)) return length * MILE_KM;
  return length >= METRES_MIN ? length / 1_000 : undefined;
}

function namedKm(plain: string): number | undefined {
  if (OTHER_RACE.test(plain)) return undefined;
  if (HALF.test(plain)) return HALF_KM;
  return FULL.test(plain) ? FULL_KM : undefined;
}

/** Faster than any runner, and slower than any walker. Bicycle races are faster. */
const FASTEST_MS_PER_KM = 120_000;
const SLOWEST_MS_PER_KM = 45 * 60_000;

/** Whether a time is impossible for a length: too fast for a runner, or too slow for a walker. */
export const isTooFast = (timeMs: number, km: number): boolean => timeMs < km * FASTEST_MS_PER_KM;
export const isTooSlow = (timeMs: number, km: number): boolean => timeMs > km * SLOWEST_MS_PER_KM;

/** The shortest and the longest possible time for a length, as `isTooFast` and `isTooSlow` judge. */
export const limitsMs = (km: number) => ({
  fastestMs: km * FASTEST_MS_PER_KM,
  slowestMs: km * SLOWEST_MS_PER_KM,
});

/** No time of day after six in the morning is as fast as this pace, unless the race began at about midnight. */
const RACE_MS_PER_KM = 390_000;

/** Whether the fastest runner of a race may take this time. A slower time may be a time of day. */
export const isRacePace = (timeMs: number, km: number): boolean => timeMs <= km * RACE_MS_PER_KM;
