/** The sport's names for distances that are not a whole number of kilometres. */
const EXACT_KM = new Map([
  [21, 21.0975],
  [42, 42.195],
]);
const KM_IN = { km: 1, k: 1, m: 0.001, mi: 1.609344 };

const UNITS: readonly (readonly [RegExp, keyof typeof KM_IN])[] = [
  [/^(?:km|kms|kilomet(?:er|re|ro)s?)$/, 'km'],
  [/^k$/, 'k'],
  [/^(?:m|mts?|met(?:er|re|ro)s?)$/, 'm'],
  [/^(?:mi|miles?|millas?)$/, 'mi'],
];

const HALF = /^(?:half[ -]?marathon|media[ -]?marat[oó]n|1\/2 marat[oó]n)$/;
const FULL = /^(?:marathon|marat[oó]n)$/;

/** The length that a distance names: `10K`, `21K`, `5,5 km`, `1500 m`, `10 miles`, `Half marathon`. */
export function lengthKm(distance: string): number | undefined {
  const name = distance.trim().toLowerCase();
  if (HALF.test(name)) return 21.0975;
  if (FULL.test(name)) return 42.195;
  const [, number = '', word = ''] = /^(\d+(?:[.,]\d+)?)\s*([a-z]+)$/.exec(name) ?? [];
  const unit = UNITS.find(([pattern]) => pattern.test(word))?.[1];
  const length = Number(number.replace(',', '.'));
  if (unit === undefined || length === 0) return undefined;
  const km = length * KM_IN[unit];
  return (unit === 'k' || unit === 'km' ? EXACT_KM.get(length) : undefined) ?? km;
}

/**
 * The pace of a race time, in whole seconds a kilometre, rounded down as watches do.
 * @param time `HH:MM:SS.mmm`
 * @returns undefined without a time or a length
 */
export function paceSeconds(time: string | null, distance: string | null): number | undefined {
  const km = lengthKm(distance ?? '');
  if (time === null || km === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const pace = Math.floor((hours * 3_600 + minutes * 60 + seconds) / km);
  return pace > 0 ? pace : undefined;
}
