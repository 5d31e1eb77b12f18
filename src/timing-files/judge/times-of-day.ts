import { type Column, timesIn } from '../columns/column.ts';
import { likeliestFormat, OF_NUMBERS } from '../columns/column-times.ts';
import { isPace, leastOf, type Relation, relate, sameTimes } from '../columns/relation.ts';
import { Pattern } from '../read/pattern.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import { type Told, worded } from './sentences.ts';

/** A column with times, in the likeliest format of the cells. */
type Timed = { column: Column; format: TimeFormat };

const HOUR_MS = 3_600_000;
/** Each pair of so many columns is compared. */
const COMPARED_MAX = 20;

const STARTS = new Pattern(
  /start|salida|d[ée]part|partenza|largada|sortida|avvio|старт|出发|スタート/i,
);

/** Whether a column has the name of a start, of a start's time or of a delay. */
export const isNamedStart = (name: string): boolean => STARTS.test(name);

/** Why the times of a column are no durations of a race, as further columns show. */
export function whyNoRaceTime(
  column: Column,
  columns: readonly Column[],
  format: TimeFormat,
): Told | undefined {
  const one = { column, format };
  const label = column.name || column.ref;
  const others = columns
    .filter((other) => other !== column)
    .flatMap(toTimed)
    .slice(0, COMPARED_MAX);
  if ([one, ...toTimed(column)].some((timed) => isTimeOfDay(timed, others))) {
    return worded('time_of_day:column', { column: label });
  }
  // 4:28 may be read as hours and minutes.
  const paces: readonly Timed[] = [one, { column, format: 'clock' }];
  const race = others.find(
    (other) =>
      !OF_NUMBERS.has(other.format) &&
      paces.some((pace) => leastOf(msOf(pace)) > 0 && isPaceOf(pace, other)),
  );
  return race && worded('no_race_time:pace', { column: label, whole: race.column.name });
}

function toTimed(column: Column): Timed[] {
  const format = likeliestFormat(column);
  return format === undefined || column.class === 'place' ? [] : [{ column, format }];
}

const msOf = ({ column, format }: Timed) => timesIn(column, format);

/** Whether a column is a pace beside a time. A time of zero belongs to a runner who did not finish. */
const isPaceOf = (one: Timed, other: Timed): boolean =>
  isPace(
    relate(
      msOf(other).map((ms) => ms || undefined),
      msOf(one),
    ),
  );

const relationOf = (one: Timed, other: Timed): Relation => relate(msOf(one), msOf(other));

/** Whether a column has times of day: the times follow a start, and a column holds the time between both. */
function isTimeOfDay(one: Timed, others: readonly Timed[]): boolean {
  return others.some((other) => {
    const isStart = isNamedStart(other.column.name);
    // Orienteers start in turn, and their clock may begin at 0:00.
    const evidence = [isStart, isAfter(one, other)].filter(Boolean).length;
    if (evidence !== 1) return evidence === 2;
    return others.some((between) => between !== other && isBetween(between, other, one));
  });
}

/** Whether a time follows a time that is too late in the day for a result. */
function isAfter(end: Timed, start: Timed): boolean {
  const { rows, leastMs } = relationOf(end, start);
  return rows > 0 && leastMs >= 0 && leastOf(msOf(start)) >= 3 * HOUR_MS;
}

/**
 * The columns that are the time between two columns, in every row: between two times of day, or between a start, such
 * as a handicap, and the gun time.
 */
export function elapsedColumns(columns: readonly Column[]): Column[] {
  const timed = columns.flatMap(toTimed);
  const late = timed.filter((one) => leastOf(msOf(one)) >= 3 * HOUR_MS).slice(0, COMPARED_MAX);
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

/** Whether a column is the time between two columns, in every row. */
function isBetween(one: Timed, start: Timed, end: Timed): boolean {
  if (start === end || sameTimes(relationOf(one, end))) return false;
  const starts = msOf(start);
  const ends = msOf(end).map((ms, at) => {
    const startMs = starts[at];
    return ms === undefined || startMs === undefined ? undefined : ms - startMs;
  });
  const { rows, leastMs, mostMs } = relate(msOf(one), ends);
  return rows >= 2 && leastMs > -2_000 && mostMs < 2_000;
}
