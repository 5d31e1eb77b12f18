import type { MissingResult, Passing } from '../../client/index.ts';
import { lengthKm } from '../../timing-files/read/distance.ts';
import { compareNames } from '../../timing-files/read/name-order.ts';
import { type CoursePoint, kmOn, pointOf } from '../../timing-files/read/point.ts';
import { formatRaceTimeOrNull, parseRaceTime } from '../../timing-files/read/race-time.ts';
import { say } from '../words.ts';

/** More than the points of any event. */
const POINTS_MAX = 1_000;

type Passed = Pick<Passing, 'bib_number' | 'point' | 'time' | 'received_at'>;
type Runner = Pick<MissingResult, 'bib_number' | 'distance' | 'category' | 'gender'>;

/**
 * The last passing of each bib, and the points with passings, in the order of their fastest times.
 * @param told the points of the event, as the API tells them
 */
export function courseOf(passings: Iterable<Passed>, told: readonly CoursePoint[] = []) {
  const lasts = new Map<string, { point: string; timeMs: number; received_at: string }>();
  const points = new Map<string, { fastestMs: number; passings: number; received_at: string }>();
  for (const { bib_number, point, time, received_at } of passings) {
    const timeMs = parseRaceTime(time) ?? 0;
    const known = points.get(point) ?? { fastestMs: timeMs, passings: 0, received_at };
    const isNewer = received_at > known.received_at;
    points.set(point, {
      fastestMs: Math.min(timeMs, known.fastestMs),
      passings: known.passings + 1,
      received_at: isNewer ? received_at : known.received_at,
    });
    const before = bib_number === null ? undefined : lasts.get(bib_number);
    if (bib_number !== null && timeMs >= (before?.timeMs ?? 0)) {
      lasts.set(bib_number, { point, timeMs, received_at });
    }
  }
  const sorted = [...points].sort(([, one], [, other]) => one.fastestMs - other.fastestMs);
  return { lasts, points: new Map(sorted), told };
}

type Course = ReturnType<typeof courseOf>;

/** Runners with their last point, the slowest of each distance first. */
export function onCourse<Of extends Runner>(
  runners: Iterable<Of>,
  { lasts, points, told }: Course,
  cutOffMs?: number,
) {
  const names = [...points.keys()];
  const lastOf = ({ bib_number }: Of) => lasts.get(bib_number);
  // As on the board, a point without a sent order comes after the points with an order.
  const orderOf = (one: Of) => {
    const point = lastOf(one)?.point;
    if (point === undefined) return -1;
    return pointOf(told, point, one.distance)?.order ?? POINTS_MAX + names.indexOf(point);
  };
  return [...runners]
    .sort(
      (a, b) =>
        compareNames(a.distance ?? '', b.distance ?? '') ||
        orderOf(a) - orderOf(b) ||
        (lastOf(b)?.timeMs ?? 0) - (lastOf(a)?.timeMs ?? 0),
    )
    .map((one) => {
      const last = lastOf(one);
      const km = last && kmOn(told, last.point, one.distance);
      const expectedMs = last && km && expectedMsOf(last.timeMs, km, one.distance);
      return {
        ...one,
        last_point: last?.point ?? null,
        last_time: formatRaceTimeOrNull(last?.timeMs ?? null),
        received_at: last?.received_at ?? null,
        expected_time: formatRaceTimeOrNull(expectedMs ?? null),
        is_late: cutOffMs === undefined ? null : (expectedMs ?? 0) > cutOffMs,
      };
    });
}

export type OnCourse = ReturnType<typeof onCourse>[number];

export const minutesSince = (instant: string): number =>
  Math.max(0, Math.floor((Date.now() - Date.parse(instant)) / 60_000));

/** Below the titles of `missing_columns`. */
export function cellsOf(row: OnCourse): string[] {
  const expected = row.expected_time?.slice(0, 8) ?? '';
  return [
    row.bib_number,
    row.distance ?? '',
    row.last_point ?? '-',
    row.last_time?.slice(0, 8) ?? '',
    row.received_at === null ? '' : `${minutesSince(row.received_at)}`,
    row.is_late ? `${expected} ${say('missing_late')}` : expected,
    row.category ?? '',
    row.gender ?? '',
  ];
}

/** Assumes the pace up to the last point; undefined if the name of the distance has no length. */
function expectedMsOf(timeMs: number, km: number, distance: string | null) {
  const whole = lengthKm(distance ?? '');
  return whole && whole >= km ? Math.round((timeMs * whole) / km) : undefined;
}
