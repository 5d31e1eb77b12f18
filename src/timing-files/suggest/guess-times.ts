import { Pattern } from '../read/pattern.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import { type Column, filledCells, timesIn } from './column.ts';
import { readColumnTimes } from './column-times.ts';
import {
  isAlwaysBelow,
  isPace,
  isWait,
  leastOf,
  type Relation,
  relate,
  sameTimes,
} from './relation.ts';

const HOUR_MS = 3_600_000;

/** The columns of the results, and how their times are written. */
export type TimesGuess =
  | { kind: 'times'; chip?: Column; gun?: Column; formats: readonly TimeFormat[] }
  /** Several columns may be the result, or the only one may be a time of day. */
  | { kind: 'unclear'; why: 'columns' | 'time_of_day'; columns: readonly Timed[] }
  | { kind: 'none'; isEmpty: boolean };

type FoundTimes = Extract<TimesGuess, { kind: 'times' }>;

type Timed = { column: Column; formats: readonly TimeFormat[] };

/** Each pair of these columns is compared. A file with more of them needs a person to choose. */
const NAMED_MAX = 20;

/**
 * @param columns all columns but the bib
 * @param places the column of the places, which grow with the times
 */
export function guessTimes(columns: readonly Column[], places?: Column): TimesGuess {
  const timed = columns.flatMap(toTimed);
  const named = timed.filter(({ column }) => RESULTS.has(column.class));
  if (named.length > NAMED_MAX) return { kind: 'unclear', why: 'columns', columns: named };
  const unnamed = timed.filter((one) => !named.includes(one) && isWritten(one)).slice(0, NAMED_MAX);
  const written = withoutCodes(named);
  const beside = [...written, ...unnamed];
  const ofDay = beside.filter((one) => isTimeOfDay(one, beside));
  const results = written.filter(
    (one) =>
      !ofDay.includes(one) &&
      !written.some((other) => isGapOf(one, other) || isPace(relationOf(other, one))),
  );
  const others = unnamed.filter(
    (one) =>
      !ofDay.includes(one) &&
      one.column.class !== 'noResult' &&
      !beside.some((other) => isGapOf(one, other) || isPace(relationOf(other, one))),
  );
  const guess =
    byName(results) ?? byDifference(beside, ofDay) ?? withoutNames(columns, timed, others, places);
  const finish = results.find(({ column }) => guess.kind === 'times' && column === guess.chip);
  if (finish && mayBeTimeOfDay(finish, beside)) {
    return { kind: 'unclear', why: 'time_of_day', columns: [finish] };
  }
  if (guess.kind === 'times')
    return withNetUnclear(withBoth(guess, [...results, ...others]), others);
  if (guess.kind !== 'unclear' || guess.columns.length > 0) return guess;
  if (ofDay.length > 0) return { kind: 'unclear', why: 'time_of_day', columns: [] };
  // A choice of columns that are named like something else is better than none.
  return { ...guess, columns: unnamed };
}

/** The result, if a column is named like one. */
function byName(results: readonly Timed[]): TimesGuess | undefined {
  const ofClass = (...classes: string[]) =>
    results.filter(({ column }) => classes.includes(column.class));
  const official = ofClass('officialTime');
  const nets = ofClass('netTime');
  const guns = ofClass('gunTime');
  const generic = ofClass('time');
  if (nets.length > 0) return withNet(nets, guns.length > 0 ? guns : official, generic);
  const elapsed = generic.length > 0 ? generic : official;
  if (elapsed.length > 0) return withoutNet(elapsed, guns);
  return guns.length > 0 ? onlyGun(guns) : undefined;
}

/** The one column that is the time between two times of day, in every row. */
function byDifference(columns: readonly Timed[], ofDay: readonly Timed[]): TimesGuess | undefined {
  const elapsed = columns.filter(
    (one) =>
      !ofDay.includes(one) &&
      ofDay.some((end) =>
        columns.some((start) => isAfter(end, start) && isBetween(one, start, end)),
      ),
  );
  const [one, second] = elapsed;
  return one && !second ? { kind: 'times', chip: one.column, formats: one.formats } : undefined;
}

/** A column that is never smaller than the net time is the gun time under any name. */
function withBoth(guess: FoundTimes, columns: readonly Timed[]): FoundTimes {
  const { chip, gun, formats } = guess;
  const known = chip ?? gun;
  if (!known || (chip && gun)) return guess;
  const one = { column: known, formats };
  const [other, second] = columns.filter(
    ({ column }) =>
      column !== known &&
      (chip ? isWaitAfter({ column, formats }, one) : isWaitAfter(one, { column, formats })),
  );
  if (!other || second) return guess;
  return { ...guess, ...(chip ? { gun: other.column } : { chip: other.column }) };
}

/** A column may be the net time, and the column called time that since the gun. Its name does not say it. */
function withNetUnclear(guess: FoundTimes, others: readonly Timed[]): TimesGuess {
  const { chip, gun, formats } = guess;
  if (chip?.class !== 'time' || gun) return guess;
  const time = { column: chip, formats };
  const nets = others.filter(
    ({ column }) => column !== chip && isWaitAfter(time, { column, formats }),
  );
  return nets.length === 0 ? guess : { kind: 'unclear', why: 'columns', columns: [...nets, time] };
}

const isWaitAfter = (one: Timed, net: Timed): boolean => isWait(relationOf(one, net));

const RESULTS = new Set(['netTime', 'gunTime', 'officialTime', 'time']);
const STARTS = new Pattern(
  /start|salida|d[ée]part|partenza|largada|sortida|avvio|старт|出发|スタート/i,
);

/** Fewer rows could be like evidence by chance. */
const ROWS_MIN = 3;

function toTimed(column: Column): Timed[] {
  const times = readColumnTimes(column);
  if (times.kind === 'times') return [{ column, formats: [times.format] }];
  return times.kind === 'unclear' ? [{ column, formats: times.formats }] : [];
}

const NUMBER = new Pattern(/^\d+([.,]\d+)?$/);
const CHIP_NAME = new Pattern(/^(chip|tag)$/i);

/** Numbers beside written times are codes of transponders, and so are numbers under "Chip". */
function withoutCodes(named: readonly Timed[]): Timed[] {
  const areNumbers = ({ column }: Timed) => filledCells(column).every((cell) => NUMBER.test(cell));
  const hasTimes = named.some((one) => !areNumbers(one));
  return named.filter((one) => !areNumbers(one) || !(hasTimes || CHIP_NAME.test(one.column.name)));
}

function msOf({ column, formats }: Timed): readonly (number | undefined)[] {
  const [format = 'clock'] = formats.includes('clock') ? [] : formats;
  return timesIn(column, format);
}

const relationOf = (one: Timed, other: Timed): Relation => relate(msOf(one), msOf(other));

/** Whether the other columns show that a column has times of day. */
export function isTimeOfDayIn(column: Column, columns: readonly Column[]): boolean {
  const isLate = leastOf(timesIn(column, 'clock')) >= 3 * HOUR_MS;
  if (!isLate && !columns.some(({ name }) => STARTS.test(name))) return false;
  const timed = columns.flatMap(toTimed);
  const one = timed.find((other) => other.column === column);
  return one !== undefined && isTimeOfDay(one, timed.slice(0, NAMED_MAX));
}

/** Whether a column has times of day: they come after a start, or differ from another time by a start. */
function isTimeOfDay(one: Timed, columns: readonly Timed[]): boolean {
  if (one.formats[0] === 'am_pm' && leastOf(msOf(one)) >= 5 * HOUR_MS) return true;
  return columns.some((other) => {
    if (other === one) return false;
    const isSure = RESULTS.has(other.column.class) || relationOf(one, other).rows > ROWS_MIN;
    if (isSure && isShifted(one, other) && !isGapOf(other, one)) return true;
    const isStart = STARTS.test(other.column.name);
    const isEnd = () => columns.some((between) => isBetween(between, other, one));
    if (isAfter(one, other)) return isStart || isEnd();
    // Orienteers start one after another, by a clock that need not be that of the day.
    return isStart && one.column.class === 'time' && isEnd();
  });
}

/** Whether a time comes after one that is too late in the day for a result. */
function isAfter(end: Timed, start: Timed): boolean {
  const { rows, leastMs } = relationOf(end, start);
  return end !== start && rows > 0 && leastMs >= 0 && leastOf(msOf(start)) >= 3 * HOUR_MS;
}

const ARRIVALS = new Pattern(/finish|llegada|arriv|chegada|ziel|meta|aankomst|arribada|m[åa]l\b/i);

/** Whether a column of arrivals has hours of a day, close together, and nothing shows when the race began. */
function mayBeTimeOfDay(one: Timed, columns: readonly Timed[]): boolean {
  if (!ARRIVALS.test(one.column.name) || one.formats[0] !== 'clock') return false;
  const times = msOf(one).filter((ms) => ms !== undefined);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  const isAlone = columns.every((other) => other === one || leastOf(msOf(other)) >= 5 * HOUR_MS);
  const isOfDay = least >= 6 * HOUR_MS && most < 24 * HOUR_MS && most < least * 1.35;
  return times.length >= ROWS_MIN && isOfDay && isAlone;
}

/** Whether a column is the time between two others, in every row. */
function isBetween(one: Timed, start: Timed, end: Timed): boolean {
  if (one === start || start === end || sameTimes(relationOf(one, end))) return false;
  const starts = msOf(start);
  const ends = msOf(end).map((ms, at) => {
    const startMs = starts[at];
    return ms === undefined || startMs === undefined ? undefined : ms - startMs;
  });
  const { rows, leastMs, mostMs } = relate(msOf(one), ends);
  return rows >= 2 && leastMs > -2_000 && mostMs < 2_000;
}

/** Whether a column has the gaps to the winner of another one. */
function isGapOf(one: Timed, other: Timed): boolean {
  if (one === other) return false;
  const winnerMs = leastOf(msOf(other));
  const { rows, leastMs, mostMs } = relationOf(other, one);
  return rows >= 2 && winnerMs > 0 && leastMs > winnerMs - 1_000 && mostMs < winnerMs + 1_000;
}

/** Whether both columns have the same times, all later by the hour at which the race began. */
function isShifted(one: Timed, other: Timed): boolean {
  const { rows, leastMs, mostMs } = relationOf(one, other);
  return rows > 1 && leastMs >= 3 * HOUR_MS && mostMs - leastMs < 2_000;
}

function withNet(
  nets: readonly Timed[],
  guns: readonly Timed[],
  generic: readonly Timed[],
): TimesGuess {
  const chip = theOne(nets);
  if (!chip) return { kind: 'unclear', why: 'columns', columns: nets };
  return found(chip, theOne(guns) ?? theOne(generic.filter((one) => isGunOf(one, chip))));
}

const found = (chip: Timed, gun: Timed | undefined): TimesGuess => ({
  kind: 'times',
  chip: chip.column,
  ...(gun ? { gun: gun.column } : {}),
  formats: chip.formats,
});

/** The time since the gun is a little later than the net time, in every row. */
function isGunOf(one: Timed, chip: Timed): boolean {
  const { leastMs, mostMs } = relationOf(one, chip);
  return leastMs >= 0 && mostMs > 0 && mostMs < HOUR_MS;
}

function withoutNet(elapsed: readonly Timed[], guns: readonly Timed[]): TimesGuess {
  const chip = theOne(elapsed) ?? theOne(elapsed.filter(({ column }) => TOTAL.test(column.name)));
  return chip ? found(chip, theOne(guns)) : { kind: 'unclear', why: 'columns', columns: elapsed };
}

const TOTAL = new Pattern(/elapsed|total|gesamt|final|overall/i);

function onlyGun(guns: readonly Timed[]): TimesGuess {
  const gun = theOne(guns);
  return gun
    ? { kind: 'times', gun: gun.column, formats: gun.formats }
    : { kind: 'unclear', why: 'columns', columns: guns };
}

/** The first column, if all others say the same. */
function theOne(candidates: readonly Timed[]): Timed | undefined {
  const [first, ...more] = candidates;
  return first && more.every((other) => sameTimes(relationOf(first, other))) ? first : undefined;
}

/** Formats in which any number is a time. */
const OF_NUMBERS = new Set<TimeFormat>([
  'seconds',
  'digits',
  'minutes_seconds',
  'milliseconds',
  'day_fraction',
  'dots',
]);

const isWritten = ({ formats }: Timed): boolean =>
  formats.includes('clock') || formats.every((format) => !OF_NUMBERS.has(format));

/** Looks for the result if no column is named like one. */
function withoutNames(
  columns: readonly Column[],
  timed: readonly Timed[],
  others: readonly Timed[],
  places: Column | undefined,
): TimesGuess {
  const named = columns.filter(({ class: ofName }) => RESULTS.has(ofName));
  const isEmpty = named.some((column) => filledCells(column).length === 0);
  const able = others.filter(
    (one) =>
      one.column.class !== 'lap' && !others.some((other) => isAlwaysBelow(relationOf(one, other))),
  );
  const [one, ...more] = able;
  if (one && more.length === 0 && !isEmpty) {
    const isHeaderless = columns.every(({ name }) => name === '');
    const isLate = leastOf(msOf(one)) >= 5 * HOUR_MS;
    if (isHeaderless && isLate) return { kind: 'unclear', why: 'time_of_day', columns: able };
    if ((isHeaderless && others.length === 1) || growsWith(one, places)) {
      const nets = others.filter((other) => other !== one && isWaitAfter(one, other));
      const [net, second] = nets;
      if (!net) return { kind: 'times', chip: one.column, formats: one.formats };
      if (!second) return found(net, one);
    }
  }
  if (isEmpty) return { kind: 'none', isEmpty };
  if (timed.length === 0) return { kind: 'none', isEmpty };
  return { kind: 'unclear', why: 'columns', columns: able };
}

/** Whether a time grows with the places or, without places, from row to row. */
function growsWith(one: Timed, places: Column | undefined): boolean {
  const rows = msOf(one).flatMap((ms, at) => {
    const place = places ? Number.parseInt(places.cells[at] ?? '', 10) : at;
    return ms === undefined || Number.isNaN(place) ? [] : [{ ms, place }];
  });
  const sorted = rows.toSorted((row, other) => row.place - other.place);
  return (
    rows.length >= ROWS_MIN &&
    sorted.every(({ ms }, at) => ms >= (sorted[at - 1]?.ms ?? 0)) &&
    (sorted[0]?.ms ?? 0) > 0
  );
}
