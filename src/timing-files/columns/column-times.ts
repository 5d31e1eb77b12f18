import { Pattern } from '../read/pattern.ts';
import { isNoValue } from '../read/status-words.ts';
import { plainDigits } from '../read/text.ts';
import { datedTime, TIME_FORMATS, type TimeFormat } from '../read/time-formats.ts';
import { plainName } from '../read/words.ts';
import { type Column, hasNumbers, isNumber, statusesIn, timesIn } from './column.ts';
import type { Times } from './relation.ts';

const FORMATS = Object.keys(TIME_FORMATS) as TimeFormat[];

/** The share of cells that must be times. The remaining cells may be unknown words. */
const MOST = 0.6;

/** The cells that may be times: without blanks, hyphens, zeros and statuses. */
type TimeCells = { column: Column; places: readonly number[]; values: readonly string[] };

/**
 * The format of a column's times. Several formats, if the formats read all cells as different times. None without
 * times.
 */
export function formatsIn(column: Column): readonly TimeFormat[] {
  column.known.formats ??= findFormats(column);
  return column.known.formats;
}

/** The likeliest format of a column's times; undefined without times. */
export function likeliestFormat(column: Column): TimeFormat | undefined {
  const formats = formatsIn(column);
  return formats.includes('clock') ? 'clock' : formats[0];
}

/** The times of a column in the likeliest format. */
export const msOf = (column: Column): Times => timesIn(column, likeliestFormat(column) ?? 'clock');

/** The times of a column in the order of the places or, without places, of the rows. */
export function timesInOrder(column: Column, places: Column | undefined): number[] {
  const rows = msOf(column).flatMap((ms, at) => {
    const place = places ? Number.parseInt(places.cells[at] ?? '', 10) : at;
    return ms === undefined || Number.isNaN(place) ? [] : [{ ms, place }];
  });
  return rows.toSorted((one, other) => one.place - other.place).map(({ ms }) => ms);
}

/** As in `41:50`, `.0283` and PT41M50S. */
const TIME_START = new Pattern(/^(pt?|[.,])?\d/i);

function findFormats(column: Column): readonly TimeFormat[] {
  const cells = timeCells(column);
  const mayBeTimes = cells.values.filter((value) => TIME_START.test(plainDigits(value)));
  if (mayBeTimes.length === 0 || mayBeTimes.length < cells.values.length * MOST) return [];
  const clock = shareOf('clock', cells);
  if (clock === 1) return clockFormats(cells);
  const others = candidates(cells).filter((format) => shareOf(format, cells) > clock);
  const able = others.filter((format) => shareOf(format, cells) >= MOST);
  return able.length > 0 || clock < MOST ? able : clockFormats(cells);
}

const NOTHING = new Pattern(/^(0*|[-–—\s]*)$/);

function timeCells(column: Column): TimeCells {
  const statuses = statusesIn(column);
  const places = [...column.cells.keys()].filter((at) => {
    const cell = column.cells[at] ?? '';
    return statuses[at] === undefined && !NOTHING.test(cell) && !isNoValue(cell);
  });
  return { column, places, values: places.map((at) => column.cells[at] ?? '') };
}

const shareOf = (format: TimeFormat, cells: TimeCells): number =>
  readIn(format, cells).length / cells.values.length;

function readIn(format: TimeFormat, { column, places }: TimeCells): string[] {
  const times = timesIn(column, format);
  return places.filter((at) => times[at] !== undefined).map((at) => column.cells[at] ?? '');
}

const HOURS_OF_DAY = new Pattern(/^([01]?\d|2[0-3]):\d\d$/);
const ONE_DIGIT_AND_TWO = new Pattern(/^0?\d:\d\d$/);
const COLON_AND_DOT = new Pattern(/^\d:[0-5]\d\.[0-5]\d$/);
/** In fewer rows, no hundredth may be over 59 by chance. */
const MANY_ENOUGH = 5;
const FROM_TEN_HOURS = new Pattern(/^(1\d|[2-9]\d):\d\d:/);

/** Colons can stand between hours and minutes, or between minutes and seconds. */
function clockFormats(cells: TimeCells): readonly TimeFormat[] {
  const read = readIn('clock', cells);
  const mayBeHours = read.some((value) => ONE_DIGIT_AND_TWO.test(value));
  if (mayBeHours && read.every((value) => HOURS_OF_DAY.test(value))) {
    return ['hours_minutes', 'clock'];
  }
  // 1:24.33 is a fast mile or a half marathon.
  if (read.length >= MANY_ENOUGH && read.every((value) => COLON_AND_DOT.test(value))) {
    return ['clock', 'dots'];
  }
  const long = read.filter((value) => FROM_TEN_HOURS.test(value));
  const areMinutes = long.every((value) => value.endsWith(':00'));
  // 38:12:58 are minutes, seconds and hundredths if the distance is too short for 38 hours.
  if (!areMinutes && readIn('hundredths', cells).length === read.length) {
    return ['clock', 'hundredths'];
  }
  const isUnclear =
    areMinutes && long.length > 0 && readIn('minutes_seconds', cells).length === read.length;
  return isUnclear ? ['minutes_seconds', 'clock'] : ['clock'];
}

const MILLISECONDS_NAME = new Pattern(/\b(ms|millis|milliseconds|millisecondes|milisegundos)\b/);
const HOURS_NAME = new Pattern(
  /\b(h|hh|hrs?|hours?|horas?|heures?|ore|ora|std|stunden?|uur|tim|timer|timmar|godz|godziny|hodiny|saat)\b/,
);
const SECONDS_NAME = new Pattern(
  /\b(s|ss|sec|secs|seg|sek|seconds?|secondes|segundos|sekunden|secondi)\b/,
);
const MINUTES_NAME = new Pattern(
  /\b(m|mm|min|mins|minutes|minutos|minuten|minuti|minuter|dezimalminuten)\b/,
);

/** Possible formats of the cells, the likelier format first. Two formats if both are possible. */
function candidates(cells: TimeCells): TimeFormat[] {
  const numbers = cells.values.filter((value) => NUMBER.test(value));
  const days = new Set(cells.values.map((value) => datedTime(plainDigits(value))?.day));
  // A single date may be the first day of a program, whatever the date.
  if (days.size === 1 && !days.has(undefined)) return days.has(0) ? ['am_pm'] : ['am_pm', 'days'];
  if (numbers.length === 0) {
    const written = FORMATS.filter((format) => !NUMBER_FORMATS.has(format));
    const [best] = written.toSorted((one, other) => shareOf(other, cells) - shareOf(one, cells));
    // 1:11:49:33 is a day or an hour.
    return [...new Set([...(best ? [best] : []), 'hundredths' as const])];
  }
  const name = plainName(cells.column.name);
  if (MILLISECONDS_NAME.test(name)) return ['milliseconds'];
  const [isSeconds, isMinutes] = [SECONDS_NAME.test(name), MINUTES_NAME.test(name)];
  // "min.sec"
  if (isSeconds && isMinutes) return ['dots'];
  if (isSeconds) return ['seconds'];
  if (isMinutes) return ['minutes'];
  const isPart = numbers.every((value) => !isNumber(value));
  if (HOURS_NAME.test(name) && isPart) return ['hours', 'dots'];
  return candidatesOfNumbers(cells, numbers);
}

const NUMBER = new Pattern(/^\d*([.,]\d+)?(e-\d+)?$/i);
const NUMBER_FORMATS = new Set<TimeFormat>([
  'seconds',
  'digits',
  'minutes',
  'hours',
  'milliseconds',
  'day_fraction',
]);
/** Formats in which any number is a time. */
export const OF_NUMBERS: ReadonlySet<TimeFormat> = new Set([
  ...NUMBER_FORMATS,
  'minutes_seconds',
  'dots',
]);
const MANY = 40;
/** A program has divided the time by its unit. So the time is round in this unit, and in no smaller unit. */
const COMPUTED = new Pattern(/[.,]\d{8}/);
const UNITS: readonly (readonly [TimeFormat, unitMs: number])[] = [
  ['seconds', 1_000],
  ['minutes', 60_000],
  ['hours', 3_600_000],
  ['day_fraction', 86_400_000],
];
const isRound = (ms: number): boolean => Math.abs(ms / 10 - Math.round(ms / 10)) < 0.001;
const PADDED = new Pattern(/^0\d{3}/);
const TWO_DOTS = new Pattern(/^\d+\.\d\d\.\d\d/);

function candidatesOfNumbers(cells: TimeCells, numbers: readonly string[]): TimeFormat[] {
  const amounts = numbers.map((value) => Number(value.replace(',', '.')));
  const areWhole = numbers.every(isNumber);
  const computed = UNITS.find(([, unitMs]) => amounts.every((x) => isRound(x * unitMs)));
  if (computed && numbers.some((value) => COMPUTED.test(value))) return [computed[0]];
  if (cells.values.some((value) => TWO_DOTS.test(value))) return ['dots'];
  // Times over a minute have colons, so the numbers below 60 are seconds.
  if (numbers.length < cells.values.length && amounts.every((x) => x < 60)) {
    return shareOf('dots', cells) === 1 ? ['dots', 'seconds'] : ['seconds'];
  }
  // 2539 may be 25:39. Seconds of 40 runners would have parts over 59.
  const asDigits = Math.max(...amounts) >= 100 && shareOf('digits', cells) === 1;
  // A number of seconds has no zero in front.
  const isPadded = numbers.some((value) => PADDED.test(value));
  if (asDigits && (isPadded || numbers.length > MANY)) return ['digits'];
  const digits: TimeFormat[] = asDigits ? ['digits'] : [];
  if (areWhole) {
    const isLarge = Math.min(...amounts) >= 100_000;
    return [...digits, ...(isLarge ? (['milliseconds'] as const) : []), 'seconds'];
  }
  if (shareOf('dots', cells) < 1) return [...digits, 'seconds'];
  return numbers.length > MANY ? ['dots'] : ['dots', 'seconds'];
}

/** The columns of hours, minutes and seconds, or of minutes and seconds, of a single time. */
export function partsOfTime(columns: readonly Column[]): Column[] {
  const isPart = (column: Column | undefined, name: Pattern) =>
    column !== undefined && name.test(plainName(column.name)) && hasNumbers(column);
  const at = columns.findIndex(
    (column, index) => isPart(column, SECONDS_NAME) && isPart(columns[index - 1], MINUTES_NAME),
  );
  if (at < 0) return [];
  return columns.slice(isPart(columns[at - 2], HOURS_NAME) ? at - 2 : at - 1, at + 1);
}
