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

/** How far a point is from the start: `Km 10`, `10K`, `15,3 km`. */
function pointKm(point: string): number | undefined {
  const [, km] = /^km\.?\s*(\d+(?:[.,]\d+)?)$/i.exec(point.trim()) ?? [];
  return km ? Number(km.replace(',', '.')) : lengthKm(point);
}

/**
 * The time of the finish, at the pace up to a point.
 * @param time at the point, as `HH:MM:SS.mmm`
 * @returns whole minutes, or undefined unless both lengths are known
 */
export function expectedMinutes(time: string, point: string, distance: string | null) {
  const [km, course] = [pointKm(point), lengthKm(distance ?? '')];
  if (!km || !course || km >= course) return undefined;
  return Math.round(((secondsOf(time) / km) * course) / 60);
}

const secondsOf = (time: string): number =>
  time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);

/**
 * The pace of a race time, in whole seconds a kilometre, rounded down as watches do.
 * @param time `HH:MM:SS.mmm`
 * @returns undefined without a time or a length
 */
export function paceSeconds(time: string | null, distance: string | null): number | undefined {
  const km = lengthKm(distance ?? '');
  if (time === null || km === undefined) return undefined;
  const pace = Math.floor(secondsOf(time) / km);
  return pace > 0 ? pace : undefined;
}
