import { guessStatus } from './status-words.ts';
import type { TimeFormat } from './time-formats.ts';
import { parseTime, TIME_FORMATS } from './time-formats.ts';
import { plainName } from './words.ts';

/** What the cells of a column look like as times. */
export type ColumnTimes =
  /** No cell holds anything that could be a time. */
  | { kind: 'empty' }
  | { kind: 'none' }
  | { kind: 'times'; format: TimeFormat }
  /** Two formats read all of them, and give other times. */
  | { kind: 'unclear'; formats: readonly [TimeFormat, TimeFormat] };

const FORMATS = Object.keys(TIME_FORMATS) as TimeFormat[];

/** Cells that say something of a time: no blank, hyphen or zero, and no word for a status. */
const timeCells = (cells: readonly string[]): string[] =>
  cells.filter((cell) => !/^[\s\-–—]*$|^\s*0\s*$/.test(cell) && guessStatus(cell) === undefined);

/** The share of cells that a column of times must have; the others may be words nobody knows. */
const MOST = 0.6;

export function readColumnTimes(name: string, cells: readonly string[]): ColumnTimes {
  const values = timeCells(cells);
  if (values.length === 0) return { kind: 'empty' };
  const share = (format: TimeFormat) => shareOf(format, values);
  const clock = share('clock');
  if (clock === 1) return clockTimes(values);
  const others = candidates(name, values).filter((format) => share(format) > clock);
  const [format, other] = others.filter((one) => share(one) >= MOST);
  if (format === undefined) return clock >= MOST ? clockTimes(values) : { kind: 'none' };
  if (other !== undefined && share(other) === share(format)) {
    return { kind: 'unclear', formats: [format, other] };
  }
  return { kind: 'times', format };
}

const shareOf = (format: TimeFormat, values: readonly string[]): number =>
  values.filter((value) => parseTime(format, value) !== undefined).length / values.length;

/** Colons can stand between hours and minutes as well as between minutes and seconds. */
function clockTimes(values: readonly string[]): ColumnTimes {
  const read = values.filter((value) => parseTime('clock', value) !== undefined);
  if (read.every((value) => /^\s*0?\d:\d\d\s*$/.test(value))) {
    return { kind: 'unclear', formats: ['hours_minutes', 'clock'] };
  }
  const areMinutes = read.every((value) => parseTime('minutes_seconds', value) !== undefined);
  if (areMinutes && read.some((value) => /^\s*(1\d|[2-9]\d):\d\d:/.test(value))) {
    return { kind: 'unclear', formats: ['minutes_seconds', 'clock'] };
  }
  return { kind: 'times', format: 'clock' };
}

/** Formats that the cells can be in, the likelier first; two of them only where both may be meant. */
function candidates(name: string, values: readonly string[]): TimeFormat[] {
  const plain = plainName(name);
  const numbers = values.filter((value) => NUMBER.test(value.trim()));
  if (numbers.length === 0) {
    return FORMATS.filter((format) => !NUMBERS.has(format))
      .sort((one, other) => shareOf(other, values) - shareOf(one, values))
      .slice(0, 1);
  }
  if (/\b(ms|millis|milliseconds|millisecondes|milisegundos)\b/.test(plain))
    return ['milliseconds'];
  if (/\b(s|sec|secs|seconds?|secondes|segundos|sekunden|secondi)\b/.test(plain))
    return ['seconds'];
  if (/\b(min|mins|minutes|minutos|minuten|minuti)\b/.test(plain)) {
    return shareOf('dots', values) === 1 ? ['dots', 'minutes'] : ['minutes'];
  }
  return candidatesOfNumbers(values, numbers);
}

const NUMBER = /^\d*([.,]\d+)?(e-\d+)?$/i;
const NUMBERS = new Set<TimeFormat>(['seconds', 'minutes', 'milliseconds', 'day_fraction']);

function candidatesOfNumbers(values: readonly string[], numbers: readonly string[]): TimeFormat[] {
  const amounts = numbers.map((value) => Number(value.replace(',', '.')));
  const isWhole = numbers.every((value) => /^\s*\d+\s*$/.test(value));
  if (numbers.every((value) => /^\s*\d?[.,]\d{4,}/.test(value)) && amounts.every((x) => x < 3)) {
    return ['day_fraction'];
  }
  if (values.some((value) => /^\s*\d+\.\d\d\.\d\d/.test(value))) return ['dots'];
  // Over a minute they have colons: then those below are seconds.
  if (numbers.length < values.length && amounts.every((x) => x < 60)) return ['seconds'];
  if (isWhole) return Math.min(...amounts) >= 100_000 ? ['milliseconds', 'seconds'] : ['seconds'];
  if (shareOf('dots', values) < 1 || numbers.length > 40) {
    return shareOf('dots', values) < 1 ? ['seconds'] : ['dots'];
  }
  return ['dots', 'seconds'];
}
