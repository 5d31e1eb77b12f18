import { Pattern } from '../read/pattern.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import { type Column, filledCells, timesIn } from './column.ts';
import type { ColumnClass } from './column-classes.ts';
import { formatsIn } from './column-times.ts';
import { isAlwaysBelow, isWait, leastOf, type Relation, relate, sameTimes } from './relation.ts';

const HOUR_MS = 3_600_000;

/** The columns of the results, and how their times are written. */
export type TimesGuess =
  | {
      kind: 'times';
      chip?: Column | undefined;
      gun?: Column | undefined;
      formats: readonly TimeFormat[];
    }
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
  const isNamed = ({ column }: Timed) => RESULTS.has(column.class);
  const named = timed.filter(isNamed);
  if (named.length > NAMED_MAX) return unclear(named);
  const unnamed = timed.filter((one) => !isNamed(one) && isWritten(one)).slice(0, NAMED_MAX);
  const beside = [...withoutCodes(named), ...unnamed];
  const ofDay = beside.filter((one) => isTimeOfDay(one, beside));
  const able = beside.filter((one) => one.column.class !== 'noResult' && !ofDay.includes(one));
  const others = able.filter((one) => !isNamed(one));
  const guess =
    byName(able.filter(isNamed)) ??
    byDifference(beside, ofDay) ??
    withoutNames(columns, timed, others, places);
  if (guess.kind === 'times') {
    const finish = able.find(({ column }) => column === guess.chip);
    if (finish && mayBeTimeOfDay(finish, beside)) return unclear([finish], 'time_of_day');
    return withBoth(guess, able);
  }
  if (guess.kind === 'none' || guess.columns.length > 0) return guess;
  // A choice of columns that are named like something else is better than none.
  return ofDay.length > 0 ? unclear([], 'time_of_day') : unclear(unnamed);
}

const unclear = (
  columns: readonly Timed[],
  why: 'columns' | 'time_of_day' = 'columns',
): TimesGuess => ({ kind: 'unclear', why, columns });

/** The result, if a column is named like one. */
function byName(results: readonly Timed[]): TimesGuess | undefined {
  const ofClass = (wanted: ColumnClass) => results.filter(({ column }) => column.class === wanted);
  const [nets, guns, generic, official] = [
    ofClass('netTime'),
    ofClass('gunTime'),
    ofClass('time'),
    ofClass('officialTime'),
  ];
  const [chips = []] = [nets, generic, official].filter((some) => some.length > 0);
  if (results.length === 0) return undefined;
  if (chips.length === 0) {
    const gun = theOne(guns);
    return gun ? { kind: 'times', gun: gun.column, formats: gun.formats } : unclear(guns);
  }
  const isNet = chips === nets;
  const chip =
    theOne(chips) ??
    (isNet ? undefined : theOne(chips.filter(({ column }) => TOTAL.test(column.name))));
  if (!chip) return unclear(chips);
  const gun = theOne(guns.length > 0 || !isNet ? guns : official);
  return found(chip, gun ?? (isNet ? theOne(generic.filter((one) => isGunOf(one, chip))) : gun));
}

/** The time since the gun is a little later than the net time, in every row. */
function isGunOf(one: Timed, chip: Timed): boolean {
  const { leastMs, mostMs } = relationOf(one, chip);
  return leastMs >= 0 && mostMs > 0 && mostMs < HOUR_MS;
}

const TOTAL = new Pattern(/elapsed|total|gesamt|final|overall/i);

const found = (chip: Timed, gun?: Timed): TimesGuess => ({
  kind: 'times',
  chip: chip.column,
  gun: gun?.column,
  formats: chip.formats,
});

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
  return one && !second ? found(one) : undefined;
}

/**
 * A column that is never smaller than the net time is the gun time under any name. If the column called time may be
 * either of them, a person decides.
 */
function withBoth(guess: FoundTimes, columns: readonly Timed[]): TimesGuess {
  const { chip, gun, formats } = guess;
  const known = chip ?? gun;
  if (!known || (chip && gun)) return guess;
  const one = { column: known, formats };
  const others = columns.filter(({ column }) => column !== known);
  const guns = chip ? others.filter((other) => isWaitAfter(other, one)) : [];
  const nets = others.filter((other) => isWaitAfter(one, other));
  const [other, second] = chip ? guns : nets;
  if (other && !second) return { ...guess, [chip ? 'gun' : 'chip']: other.column };
  return chip?.class === 'time' && nets.length > 0 ? unclear([...nets, one]) : guess;
}

const isWaitAfter = (one: Timed, net: Timed): boolean => isWait(relationOf(one, net));

const RESULTS = new Set(['netTime', 'gunTime', 'officialTime', 'time']);
const STARTS = new Pattern(
  /start|salida|d[ée]part|partenza|largada|sortida|avvio|старт|出发|スタート/i,
);

/** Times of fewer rows may agree by chance. */
const ROWS_MIN = 3;

function toTimed(column: Column): Timed[] {
  const formats = formatsIn(column);
  return formats.length > 0 ? [{ column, formats }] : [];
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
    // Orienteers start one after another, and their clock may begin at 0:00.
    const evidence = [isStart, isAfter(one, other)].filter(Boolean).length;
    if (evidence !== 1) return evidence === 2;
    return columns.some((between) => isBetween(between, other, one));
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

/** The first column, if all others have the same times. */
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
    if (isHeaderless && isLate) return unclear(able, 'time_of_day');
    if ((isHeaderless && others.length === 1) || growsWith(one, places)) {
      const nets = others.filter((other) => other !== one && isWaitAfter(one, other));
      const [net, second] = nets;
      if (!net) return found(one);
      if (!second) return found(net, one);
    }
  }
  return isEmpty || timed.length === 0 ? { kind: 'none', isEmpty } : unclear(able);
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
