import type { CoursePoint } from '../../../../../timing-files/read/point.ts';

/** A point as the form has it. The order of the rows is the order on the course. */
export type Row = { name: string; distance: string; km: string };

export const rowOf = ({ name, distance, km }: CoursePoint): Row => ({
  name,
  distance: distance ?? '',
  km: km === null ? '' : String(km),
});

const KM = /^\d{1,4}([.,]\d{1,6})?$/;

export const isReadable = ({ name, km }: Row): boolean =>
  name.trim() !== '' && (km.trim() === '' || (KM.test(km.trim()) && kmOf(km) > 0));

const kmOf = (km: string): number => Number(km.trim().replace(',', '.'));

/** The points of a form. Points of a distance keep their order among themselves. */
export const pointsOfRows = (rows: readonly Row[]): CoursePoint[] =>
  rows.map(({ name, distance, km }, at) => ({
    name: name.trim(),
    distance: distance.trim() || null,
    order: at + 1,
    km: km.trim() === '' ? null : kmOf(km),
  }));

/** The rows with a row before its neighbour. */
export function movedUp(rows: readonly Row[], at: number): Row[] {
  const [row, before] = [rows[at], rows[at - 1]];
  return row && before ? rows.with(at - 1, row).with(at, before) : [...rows];
}
