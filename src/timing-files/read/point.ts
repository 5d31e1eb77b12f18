import { lengthKm } from './distance.ts';
import { Pattern } from './pattern.ts';

const KM = new Pattern(/\bkm ?(\d+(?:[.,]\d+)?)\b/i);

/** How far a point is from the start, in kilometres, if its name says it: `Km 10`, `10K`. */
export function kmOfPoint(point: string): number | undefined {
  const [, number] = KM.groups(point) ?? [];
  return number === undefined ? lengthKm(point) : Number(number.replace(',', '.'));
}

/** A name without its case: points whose names differ in case alone are one. `publicName` has read the name before. */
export const foldedPoint = (name: string): string => name.toLowerCase().normalize();
