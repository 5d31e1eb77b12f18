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

const AT_START = new Pattern(/^(start|salida|largada|départ|partenza|km\.?\s?0)$/i);

/** Whether a point is the start line. Its time since the gun is the delay of the start. */
export const isStartLine = (point: string): boolean => AT_START.test(point.trim());

/** A point of a course, as the API tells it. */
export type CoursePoint = {
  name: string;
  /** Null: the courses of all distances. */
  distance: string | null;
  order: number;
  /** Kilometres from the start. Null: nobody knows. */
  km: number | null;
};

/** The point of a name on the course of a distance. A point of the distance alone comes first. */
export function pointOf<P extends CoursePoint>(
  points: readonly P[],
  name: string,
  distance: string | null,
): P | undefined {
  const folded = foldedPoint(name);
  const named = points.filter((point) => foldedPoint(point.name) === folded);
  return (
    named.find((point) => point.distance !== null && point.distance === distance) ??
    named.find((point) => point.distance === null)
  );
}

/** The distance of a point from the start, in kilometres: as told, else as the name says. */
export const kmOn = (
  points: readonly CoursePoint[],
  name: string,
  distance: string | null,
): number | undefined => pointOf(points, name, distance)?.km ?? kmOfPoint(name);

/**
 * Passed points in the order of the told course. A point that nobody told keeps its place.
 * @param passed in another order, such as the order of the times
 */
export function inToldOrder<P>(
  points: readonly CoursePoint[],
  distance: string | null,
  passed: readonly P[],
  nameOf: (one: P) => string,
): P[] {
  const orderOf = (one: P) => pointOf(points, nameOf(one), distance)?.order;
  const told = passed
    .filter((one) => orderOf(one) !== undefined)
    .sort((one, other) => (orderOf(one) ?? 0) - (orderOf(other) ?? 0));
  return passed.map((one) => (orderOf(one) === undefined ? one : (told.shift() ?? one)));
}

/**
 * A name without its case: points whose names differ in case alone are equal. `publicName` has read the name before.
 */
export const foldedPoint = (name: string): string => name.toLowerCase().normalize();
