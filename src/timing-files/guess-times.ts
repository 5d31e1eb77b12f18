import { type ColumnTimes, readColumnTimes } from './column-times.ts';
import { type Column, filledCells } from './table.ts';
import { parseTime, type TimeFormat } from './time-formats.ts';

const HOUR_MS = 3_600_000;

/** Which columns hold the results, and how their times are written. */
export type TimesGuess =
  | { kind: 'times'; chip?: Column; gun?: Column; formats: readonly TimeFormat[] }
  /** Several columns may be the result, or the only one may be a time of the day. */
  | { kind: 'unclear'; why: 'columns' | 'time_of_day'; columns: Timed[] }
  | { kind: 'none'; isEmpty: boolean };

export type Timed = { column: Column; times: ColumnTimes; formats: readonly TimeFormat[] };

export function guessTimes(columns: readonly Column[]): TimesGuess {
  const timed = columns.flatMap(toTimed);
  const starts = timed.filter(({ column }) => STARTS.test(column.name));
  const named = withoutCodes(timed.filter(({ column }) => RESULTS.has(column.class)));
  const ofTheDay = named.filter((one) => isTimeOfDay(one, starts, timed));
  const results = named.filter((one) => !ofTheDay.includes(one));
  const ofClass = (...classes: string[]) =>
    results.filter(({ column }) => classes.includes(column.class));
  const official = ofClass('officialTime');
  const nets = ofClass('netTime');
  const guns = ofClass('gunTime');
  const generic = ofClass('time');
  if (nets.length > 0) return withNet(nets, guns.length > 0 ? guns : official, generic);
  const elapsed = generic.length > 0 ? generic : official;
  if (elapsed.length > 0) return withoutNet(elapsed, guns);
  if (guns.length > 0) return onlyOne(guns, 'gun');
  const guess = withoutNames(columns, timed);
  const isOfTheDay = guess.kind === 'unclear' && ofTheDay.length > 0;
  return isOfTheDay ? { kind: 'unclear', why: 'time_of_day', columns: ofTheDay } : guess;
}

const RESULTS = new Set(['netTime', 'gunTime', 'officialTime', 'time']);
const STARTS = /start|salida|d[ée]part|partenza|largada|sortida/i;

function toTimed(column: Column): Timed[] {
  const times = readColumnTimes(column.name, column.cells);
  if (times.kind === 'times') return [{ column, times, formats: [times.format] }];
  return times.kind === 'unclear' ? [{ column, times, formats: times.formats }] : [];
}

/** Numbers beside written times, and under "Chip" always, are codes of transponders and the like. */
function withoutCodes(named: readonly Timed[]): Timed[] {
  const areNumbers = ({ column }: Timed) =>
    filledCells(column).every((cell) => /^\d+([.,]\d+)?$/.test(cell));
  const hasTimes = named.some((one) => !areNumbers(one));
  return named.filter(
    (one) => !areNumbers(one) || !(hasTimes || /^(chip|tag)$/i.test(one.column.name)),
  );
}

function msOf({ column, formats }: Timed): (number | undefined)[] {
  const [format = 'clock'] = formats.includes('clock') ? [] : formats;
  return column.cells.map((cell) => parseTime(format, cell));
}

/** Pairs of times of the rows that have both. */
function pairsOf(one: Timed, other: Timed): [number, number][] {
  const others = msOf(other);
  return msOf(one).flatMap((ms, at) => {
    const otherMs = others[at];
    return ms === undefined || otherMs === undefined ? [] : [[ms, otherMs] as [number, number]];
  });
}

/** Runners start in the morning: a finish after the hour of a start is no elapsed time. */
function isTimeOfDay(one: Timed, starts: readonly Timed[], timed: readonly Timed[]): boolean {
  const times = msOf(one).filter((ms) => ms !== undefined);
  if (one.formats[0] === 'am_pm' && times.every((ms) => ms >= 5 * HOUR_MS)) return true;
  const afterStart = starts.some((start) => {
    const pairs = pairsOf(one, start);
    return (
      pairs.length > 0 && pairs.every(([ms, startMs]) => startMs >= 3 * HOUR_MS && ms >= startMs)
    );
  });
  return afterStart || timed.some((other) => isShifted(one, other));
}

/** The same times, all later by the hour at which the race began. */
function isShifted(one: Timed, other: Timed): boolean {
  if (!RESULTS.has(other.column.class)) return false;
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
  if (!chip) return { kind: 'unclear', why: 'columns', columns: [...nets] };
  const gun = theOne(guns) ?? theOne(generic.filter((one) => isGunOf(one, chip)));
  return {
    kind: 'times',
    chip: chip.column,
    ...(gun ? { gun: gun.column } : {}),
    formats: chip.formats,
  };
}

/** A little later than the net time in every row: the time since the gun. */
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
  if (!chip) return { kind: 'unclear', why: 'columns', columns: [...elapsed] };
  const gun = theOne(guns);
  return {
    kind: 'times',
    chip: chip.column,
    ...(gun ? { gun: gun.column } : {}),
    formats: chip.formats,
  };
}

const TOTAL = /elapsed|total|gesamt|final|overall/i;

function onlyOne(candidates: readonly Timed[], meaning: 'chip' | 'gun'): TimesGuess {
  const one = theOne(candidates);
  return one
    ? { kind: 'times', [meaning]: one.column, formats: one.formats }
    : { kind: 'unclear', why: 'columns', columns: [...candidates] };
}

/** Columns that say the same are one. */
function theOne(candidates: readonly Timed[]): Timed | undefined {
  const [first, ...more] = candidates;
  const isSame = (other: Timed) =>
    first !== undefined && pairsOf(first, other).every(([ms, otherMs]) => ms === otherMs);
  return first && more.every(isSame) ? first : undefined;
}

/** No name says which column is the result. */
function withoutNames(columns: readonly Column[], timed: readonly Timed[]): TimesGuess {
  const named = columns.filter(({ class: ofName }) => RESULTS.has(ofName));
  const written = timed.filter(
    ({ column, formats }) =>
      column.class !== 'noResult' &&
      formats.every((format) => !/seconds$|day_fraction|dots/.test(format)),
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
