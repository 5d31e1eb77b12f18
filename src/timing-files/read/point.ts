import { lengthKm } from './distance.ts';
import { Pattern } from './pattern.ts';

const KM = new Pattern(/\bkm\.?\s?(\d+(?:[.,]\d+)?)\b/i);
/** "Half" alone is half of the course. */
const HAS_LENGTH = new Pattern(/\d|marat/i);

/** The distance of a point from the start, in kilometres, if the name says so: `Km 10`, `10K`, `15,3 km`. */
export function kmOfPoint(point: string): number | undefined {
  const [, number] = KM.groups(point);
  if (number !== undefined) return Number(number.replace(',', '.'));
  return HAS_LENGTH.test(point) ? lengthKm(point) : undefined;
}

/**
 * A name without its case: points whose names differ in case alone are equal. `publicName` has read the name before.
 */
export const foldedPoint = (name: string): string => name.toLowerCase().normalize();
