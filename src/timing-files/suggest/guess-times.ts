import { Pattern } from '../read/pattern.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import { type Column, filledCells, timesIn } from './column.ts';
import { readColumnTimes } from './column-times.ts';

const HOUR_MS = 3_600_000;

/** The columns of the results, and how their times are written. */
export type TimesGuess =
  | { kind: 'times'; chip?: Column; gun?: Column; formats: readonly TimeFormat[] }
  /** Several columns may be the result, or the only one may be a time of day. */
  | { kind: 'unclear'; why: 'columns' | 'time_of_day'; columns: readonly Timed[] }
  | { kind: 'none'; isEmpty: boolean };

type Timed = { column: Column; formats: readonly TimeFormat[] };

/** Each pair of these columns is compared. A file with more of them needs a person to choose. */
const NAMED_MAX = 20;

export function guessTimes(columns: readonly Column[]): TimesGuess {
  const timed = columns.flatMap(toTimed);
  const starts = timed.filter(({ column }) => STARTS.test(column.name));
  const named = timed.filter(({ column }) => RESULTS.has(column.class));
  if (named.length > NAMED_MAX) return { kind: 'unclear', why: 'columns', columns: named };
  const written = withoutCodes(named);
  const ofDay = written.filter((one) => isTimeOfDay(one, starts, named));
  const results = written.filter((one) => !ofDay.includes(one));
  const ofClass = (...classes: string[]) =>
    results.filter(({ column }) => classes.includes(column.class));
  const official = ofClass('officialTime');
  const nets = ofClass('netTime');
  const guns = ofClass('gunTime');
  const generic = ofClass('time');
  if (nets.length > 0) return withNet(nets, guns.length > 0 ? guns : official, generic);
  const elapsed = generic.length > 0 ? generic : official;
  if (elapsed.length > 0) return withoutNet(elapsed, guns);
  if (guns.length > 0) return onlyGun(guns);
  const guess = withoutNames(columns, timed);
  return guess.kind === 'unclear' && ofDay.length > 0
    ? { kind: 'unclear', why: 'time_of_day', columns: ofDay }
    : guess;
}

const RESULTS = new Set(['netTime', 'gunTime', 'officialTime', 'time']);
const STARTS = new Pattern(/start|salida|d[ée]part|partenza|largada|sortida/i);

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

/** Pairs of times of the rows that have both. */
function pairsOf(one: Timed, other: Timed): [number, number][] {
  const others = msOf(other);
  return msOf(one).flatMap((ms, at) => {
    const otherMs = others[at];
    return ms === undefined || otherMs === undefined ? [] : [[ms, otherMs] as [number, number]];
  });
}

/** Races start in the morning: a time that is later than the hour of the start is a time of day. */
function isTimeOfDay(one: Timed, starts: readonly Timed[], named: readonly Timed[]): boolean {
  const times = msOf(one).filter((ms) => ms !== undefined);
  if (one.formats[0] === 'am_pm' && times.every((ms) => ms >= 5 * HOUR_MS)) return true;
  const isAfterStart = starts.some((start) => {
    const pairs = pairsOf(one, start);
    return (
      pairs.length > 0 && pairs.every(([ms, startMs]) => startMs >= 3 * HOUR_MS && ms >= startMs)
    );
  });
  return isAfterStart || named.some((other) => isShifted(one, other));
}

/** Whether both columns have the same times, all later by the hour at which the race began. */
function isShifted(one: Timed, other: Timed): boolean {
  const shifts = pairsOf(one, other).map(([ms, otherMs]) => ms - otherMs);
  const least = Math.min(...shifts);
  return shifts.length > 1 && least >= 3 * HOUR_MS && Math.max(...shifts) - least < 2_000;
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
  const waits = pairsOf(one, chip).map(([ms, chipMs]) => ms - chipMs);
  return (
    waits.length > 0 &&
    waits.every((wait) => wait >= 0 && wait < HOUR_MS) &&
    waits.some((wait) => wait > 0)
  );
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
  const isSame = (other: Timed) =>
    first !== undefined && pairsOf(first, other).every(([ms, otherMs]) => ms === otherMs);
  return first && more.every(isSame) ? first : undefined;
}

/** Formats in which any number is a time. */
const OF_NUMBERS = new Set<TimeFormat>([
  'seconds',
  'minutes_seconds',
  'milliseconds',
  'day_fraction',
  'dots',
]);

/** Looks for the result if no column is named like one. */
function withoutNames(columns: readonly Column[], timed: readonly Timed[]): TimesGuess {
  const named = columns.filter(({ class: ofName }) => RESULTS.has(ofName));
  const written = timed.filter(
    ({ column, formats }) =>
      column.class !== 'noResult' && formats.every((format) => !OF_NUMBERS.has(format)),
  );
  const [one, ...more] = written;
  const isHeaderless = columns.every(({ name }) => name === '');
  if (isHeaderless && one && more.length === 0) {
    const isLate = msOf(one).every((ms) => ms === undefined || ms >= 5 * HOUR_MS);
    if (!isLate) return { kind: 'times', chip: one.column, formats: one.formats };
    return { kind: 'unclear', why: 'time_of_day', columns: [one] };
  }
  const isEmpty = named.some((column) => filledCells(column).length === 0);
  if (written.length === 0 || isEmpty) return { kind: 'none', isEmpty };
  return { kind: 'unclear', why: 'columns', columns: written };
}
