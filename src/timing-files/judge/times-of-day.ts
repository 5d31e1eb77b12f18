import { type Column, timesIn } from '../columns/column.ts';
import { GUNS } from '../columns/column-classes.ts';
import { isWritten, likeliestFormat, likelyTimes } from '../columns/column-times.ts';
import { roleBeside } from '../columns/finish-roles.ts';
import { isAbout, leastOf, relate, sameTimes, type Times } from '../columns/relation.ts';
import { Pattern } from '../read/pattern.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import type { Warning } from './warning.ts';

type Timed = { column: Column; times: Times };

export const HOUR_MS = 3_600_000;
/** Each pair of so many columns is compared. */
export const COMPARED_MAX = 20;

const STARTS = new Pattern(
  /start|salida|d[ée]part|partenza|largada|sortida|avvio|старт|出发|スタート/i,
);

export const isNamedStart = (name: string): boolean => STARTS.test(name);

/** Why the times of a column are not those that a race took, as the other columns show. */
export function whyNoRaceTime(
  column: Column,
  columns: readonly Column[],
  format: TimeFormat,
): Pick<Warning, 'code' | 'detail'> | undefined {
  const times = timesIn(column, format);
  const label = column.name === '' ? column.ref : JSON.stringify(column.name);
  const others = timedAmong(columns.filter((other) => other !== column)).slice(0, COMPARED_MAX);
  const isTimed = [{ column, times }, ...timedAmong([column])];
  if (isTimed.some((timed) => isTimeOfDay(timed, others))) {
    const detail = `The times of ${label} are times of day, not times that a race took.`;
    return { code: 'time_of_day', detail };
  }
  const whole = others.find((other) => roleBeside(times, other.times, ['gap']));
  if (whole) {
    const detail = `The times of ${label} are the gaps to the winner of "${whole.column.name}".`;
    return { code: 'gaps_unlikely', detail };
  }
  // 4:28 may be read as hours and minutes.
  const paces = [times, timesIn(column, 'clock')].filter((pace) => leastOf(pace) > 0);
  const race = others.find(
    (other) =>
      isWritten(other.column) && paces.some((pace) => roleBeside(pace, other.times, ['pace'])),
  );
  if (!race) return undefined;
  const detail = `The times of ${label} are the same part of every "${race.column.name}", as a pace is.`;
  return { code: 'no_race_time', detail };
}

/** The columns that have times, in the likeliest format of their cells. */
const timedAmong = (columns: readonly Column[]): Timed[] =>
  columns
    .filter((column) => column.class !== 'place' && likeliestFormat(column) !== undefined)
    .map((column) => ({ column, times: likelyTimes(column) }));

/** Whether a column has times of day: they come after a start, and the time between both is there too. */
function isTimeOfDay(one: Timed, others: readonly Timed[]): boolean {
  return others.some((other) => {
    const isStart = isNamedStart(other.column.name);
    // Orienteers start one after another, and their clock may begin at 0:00.
    const evidence = [isStart, isAfter(one, other)].filter(Boolean).length;
    if (evidence !== 1) return evidence === 2;
    // A gun time is the net time and the wait at the start.
    if (isStart && GUNS.has(one.column.class)) return false;
    return others.some((between) => between !== other && isBetween(between, other, one));
  });
}

const isLate = ({ times }: Timed): boolean => leastOf(times) >= 3 * HOUR_MS;

/** Whether a time comes after one that is too late in the day for a result. */
function isAfter(end: Timed, start: Timed): boolean {
  const { rows, leastMs } = relate(end.times, start.times);
  return rows > 0 && leastMs >= 0 && isLate(start);
}

/**
 * The columns that are the time between two others, in every row: between two times of day, or between a start, such as
 * a handicap, and the gun time.
 */
export function elapsedColumns(columns: readonly Column[]): Column[] {
  const timed = timedAmong(columns);
  const late = timed.filter(isLate).slice(0, COMPARED_MAX);
  const guns = timed.filter(({ column }) => column.class === 'gunTime').slice(0, 1);
  const starts = timed.filter(({ column }) => column.class === 'noResult').slice(0, COMPARED_MAX);
  return timed
    .filter((one) => !late.includes(one) && !guns.includes(one))
    .slice(0, COMPARED_MAX)
    .filter(
      (one) =>
        (!starts.includes(one) &&
          guns.some((end) => starts.some((start) => isBetween(one, start, end)))) ||
        late.some((end) => late.some((start) => isAfter(end, start) && isBetween(one, start, end))),
    )
    .map(({ column }) => column);
}

/** Whether a column is the time between two others, in every row. */
function isBetween({ times }: Timed, start: Timed, end: Timed): boolean {
  if (start === end || sameTimes(relate(times, end.times))) return false;
  const took = end.times.map((ms, at) => {
    const startMs = start.times[at];
    return ms === undefined || startMs === undefined ? undefined : ms - startMs;
  });
  const relation = relate(times, took);
  return relation.rows >= 2 && isAbout(0, relation, 2_000);
}
