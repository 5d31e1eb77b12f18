import { Pattern } from './pattern.ts';
import { parseRaceTime } from './race-time.ts';
import { hasDigit, plainDigits } from './text.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Format = {
  /** A cell of such a file, for messages. */
  example: string;
  /** Milliseconds of a cell without blanks around; undefined for a cell without a time in this format. */
  parse(cell: string): number | undefined;
};

/**
 * Every `time_format` of an upload. All formats except `hundredths`, `hours_minutes` and `minutes_seconds` also read
 * times of `clock`, because a file often has both.
 */
export const TIME_FORMATS = {
  clock: {
    example: '1:28:03',
    parse: parseRaceTime,
  },
  long_fractions: {
    example: '1:28:03.123456',
    parse: (cell) => clockMs(cell),
  },
  days: {
    example: '1 day 02:03:04',
    parse: (cell) => parseRaceTime(cell) ?? daysMs(cell) ?? clockMs(cell),
  },
  apostrophes: {
    example: '1h28\'03"',
    parse: (cell) =>
      parseRaceTime(cell) ??
      unitsMs(cell) ??
      hyphensMs(cell) ??
      clockWithUnitMs(cell) ??
      daysMs(cell) ??
      clockMs(withoutMark(cell)),
  },
  dots: {
    example: '1.28.03',
    parse: (cell) => dotsMs(withoutMark(cell)) ?? clockMs(withoutMark(cell)),
  },
  hundredths: {
    example: '01:28:03:45',
    parse: (cell) => hundredthsMs(cell),
  },
  seconds: {
    example: '5283.12',
    parse: (cell) => numberMs(withoutMark(cell), SECONDS, 1_000) ?? clockMs(withoutMark(cell)),
  },
  digits: {
    example: '4150',
    parse: (cell) => digitsMs(cell) ?? clockMs(cell),
  },
  minutes: {
    example: '88.05',
    parse: (cell) => decimalMinutesMs(cell) ?? clockMs(cell),
  },
  hours: {
    example: '1.4675',
    parse: (cell) => numberMs(cell, SECONDS, HOUR_MS) ?? clockMs(cell),
  },
  milliseconds: {
    example: '5283120',
    parse: (cell) => numberMs(cell, MILLISECONDS, 1) ?? clockMs(cell),
  },
  day_fraction: {
    example: '0.0611458333333333',
    parse: (cell) => numberMs(cell, DAY_FRACTION, DAY_MS) ?? clockMs(cell),
  },
  am_pm: {
    example: '1:28:03 AM',
    parse: (cell) => datedTime(cell)?.clockMs ?? amPmMs(cell) ?? clockMs(cell),
  },
  hours_minutes: {
    example: '1:28',
    parse: (cell) => (isTwoParts(cell) ? clockMs(`${cell}:00`) : clockMs(cell)),
  },
  minutes_seconds: {
    example: '41:50:00',
    // A spreadsheet damages the times under an hour alone: 41:50:00 stands above 1:01:03.
    parse: (cell) => (isTwoParts(cell) ? clockMs(cell) : (minutesMs(cell) ?? hoursMs(cell))),
  },
} as const satisfies Record<string, Format>;

export type TimeFormat = keyof typeof TIME_FORMATS;

export const isTimeFormat = (name: string): name is TimeFormat => Object.hasOwn(TIME_FORMATS, name);

/** Milliseconds of a cell in a format, in digits of any script; undefined for a cell without a time in the format. */
export function parseTime(format: TimeFormat, cell: string): number | undefined {
  const plain = plainDigits(cell.trim());
  return hasDigit(plain) ? TIME_FORMATS[format].parse(plain) : undefined;
}

/** A program writes 0.1 + 0.2 with 17 digits. */
const SECONDS = new Pattern(/^\d{1,6}([.,]\d{1,20})?$/);
const MILLISECONDS = new Pattern(/^\d{1,9}$/);
const DAY_FRACTION = new Pattern(/^\d?[.,]\d{1,20}(e-\d{1,2})?$/i);
const MICROSECONDS = new Pattern(/([.,]\d{3})\d{1,17}$/);

/** A program took the duration for a moment in London. */
const NO_ZONE = new Pattern(/(\+00:?00|z)$/i);

/** `clock` with more digits after the seconds. Digits after the third are cut off. */
const clockMs = (cell: string): number | undefined =>
  parseRaceTime(cell) ?? parseRaceTime(MICROSECONDS.replace(NO_ZONE.replace(cell, ''), '$1'));

const WITH_HYPHENS = new Pattern(/^(\d{1,2})-([0-5]\d)-([0-5]\d)$/);

const hyphensMs = (cell: string): number | undefined =>
  WITH_HYPHENS.test(cell) ? parseRaceTime(cell.replaceAll('-', ':')) : undefined;

const numberMs = (cell: string, pattern: Pattern, unitMs: number): number | undefined =>
  pattern.test(cell) ? Math.round(Number(cell.replace(',', '.')) * unitMs) : undefined;

/** The last digit of a decimal stands for more than a millisecond: 57.13 minutes are 57:08, not 57:07.8. */
function decimalMinutesMs(cell: string): number | undefined {
  const timeMs = numberMs(cell, SECONDS, 60_000);
  const decimals = cell.length - 1 - cell.replace(',', '.').lastIndexOf('.');
  if (timeMs === undefined || decimals >= cell.length) return timeMs;
  const unitMs = Math.max(1, 100_000 / 10 ** decimals);
  return unitMs > 1_000 ? timeMs : Math.round(timeMs / unitMs) * unitMs;
}

const DIGITS = new Pattern(/^(\d{1,2}?)??(\d{1,2})(\d\d)([.,]\d{1,3})?$/);

function digitsMs(cell: string): number | undefined {
  const [all, hours, minutes = '', seconds = '', fraction = ''] = DIGITS.groups(cell);
  if (all === undefined) return undefined;
  return clockMs(`${hours === undefined ? '' : `${hours}:`}${minutes}:${seconds}${fraction}`);
}

const TWO_PARTS = new Pattern(/^\d{1,2}:\d\d$/);
const isTwoParts = (cell: string): boolean => TWO_PARTS.test(cell);

const MINUTES = new Pattern(/^(\d{1,3}):([0-5]\d)(:00)?$/);

function minutesMs(cell: string): number | undefined {
  const [, minutes, seconds] = MINUTES.groups(cell);
  return minutes === undefined ? undefined : (Number(minutes) * 60 + Number(seconds)) * 1_000;
}

const FEW_HOURS = new Pattern(/^0?\d:[0-5]\d:[0-5]\d/);

const hoursMs = (cell: string): number | undefined =>
  FEW_HOURS.test(cell) ? clockMs(cell) : undefined;

const DOTS = new Pattern(/^(?:(\d{1,3})[.:])?(\d{1,3})\.(\d\d)(,\d{1,3})?$/);

function dotsMs(cell: string): number | undefined {
  const [all, hours, minutes = '', seconds = '', fraction = ''] = DOTS.groups(cell);
  if (all === undefined) return undefined;
  return hours === undefined
    ? clockMs(`${minutes}:${seconds}${fraction}`)
    : clockMs(`${hours}:${minutes}:${seconds}${fraction}`);
}

const HUNDREDTHS = new Pattern(/^((?:\d{1,3}:)?\d{1,3}:\d\d):(\d\d)$/);

function hundredthsMs(cell: string): number | undefined {
  const [, clock, hundredths] = HUNDREDTHS.groups(cell);
  return clock === undefined ? undefined : clockMs(`${clock}.${hundredths}`);
}

const HALF_DAY = new Pattern(/^(\d{1,2})(:\d\d)(:\d\d(?:[.,]\d+)?)?\s*(?:([ap])\.?\s?m\.?)?$/i);

function amPmMs(cell: string): number | undefined {
  const [, hours, minutes, seconds = ':00', half] = HALF_DAY.groups(cell);
  if (half === undefined || Number(hours) < 1 || Number(hours) > 12) return undefined;
  const hour = (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return clockMs(`${hour}${minutes}${seconds}`);
}

const DATED = new Pattern(
  /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})[T ]+(\d{1,2}:\d\d[\d:.,]*(?:\s?[ap]\.?\s?m\.?)?)\s?(z|utc|gmt)?(?:([+-]\d\d):?(\d\d))?$/i,
);
/** The first day of a program's calendar. The days are days of January, and before them the last days of December. */
const FIRST_DAYS = new Map([
  [1899, 30],
  // Excel calls its first day 1900-01-00.
  [1900, 0],
  [1904, 1],
  [1970, 1],
]);
const LAST_DAY = 3;

/**
 * A duration as a date near the first day of a program, in any order of day, month and year:
 * 30.12.1899 00:41:50, 1970-01-01T00:41:50Z.
 * @returns the day, counted from 0, and the time of day; undefined for further cells
 */
export function datedTime(cell: string): { day: number; clockMs: number } | undefined {
  const [all, first, , second, third, clock = '', , hours, minutes] = DATED.groups(cell);
  if (all === undefined) return undefined;
  const numbers = [first, second, third].map(Number);
  const [year = 0, ...others] = numbers.toSorted((one, other) => other - one);
  const [late = 0, early = 0] = others;
  const isDecember = late > 27 && early === 12;
  const firstDay = FIRST_DAYS.get(isDecember && year !== 1899 ? year + 1 : year);
  if (firstDay === undefined || !(isDecember || (early <= 1 && late <= LAST_DAY))) return undefined;
  const day = isDecember
    ? late - (year === 1899 ? firstDay : 31 + firstDay)
    : (early === 0 ? 0 : late) - firstDay;
  const ms = amPmMs(clock) ?? clockMs(clock);
  // Only the instants of 1970 have a time zone.
  const zoneMs = hours !== undefined && year >= 1969 ? Number(hours) * 60 + Number(minutes) : 0;
  if (ms === undefined || ms >= DAY_MS) return undefined;
  const wholeMs = day * DAY_MS + ms - zoneMs * 60_000;
  return wholeMs < 0 ? undefined : { day: Math.floor(wholeMs / DAY_MS), clockMs: wholeMs % DAY_MS };
}

const DAY_WORDS =
  'd day days j jour jours t tag tage dia dias día días g giorno giorni dag dagen'.split(' ');
const DAYS = new Pattern(/^(\d{1,2})(?:\s*(\p{L}+)(?:,\s*|\s+)|[. :])(\d{1,2}:\d\d:\d\d.*)$/iu);

function daysMs(cell: string): number | undefined {
  const dated = datedTime(cell);
  if (dated) return dated.day * DAY_MS + dated.clockMs;
  const [, days, word = 'd', clock] = DAYS.groups(cell);
  if (clock === undefined || !DAY_WORDS.includes(word.toLowerCase())) return undefined;
  const timeMs = clockMs(clock);
  return timeMs === undefined || timeMs >= DAY_MS ? undefined : Number(days) * DAY_MS + timeMs;
}

/** Each unit by its size in seconds. */
const UNITS = new Map<string, number>([
  ...DAY_WORDS.map((word) => [word, 86_400] as const),
  ...['h', 'hr', 'hrs', 'std', 'u', 'ч', '時間', '时', '小时', '시간'].map(
    (word) => [word, 3_600] as const,
  ),
  ...['m', 'min', 'mn', "'", 'мин', '分', '분'].map((word) => [word, 60] as const),
  ...['s', 'sec', 'sek', '"', "''", 'сек', '秒', '초'].map((word) => [word, 1] as const),
]);

/**
 * Marks of athletics and timekeepers behind a time: a record, a qualification, a footnote. Statuses such as DQ are no
 * marks.
 */
const MARK = new Pattern(
  /(?<=\d)(?:[\s,(]{0,3}(?:=?(?:pb|sb|cr|mr|nr|wr|er|ar|or|pr|ub|lr|sr|wl|el|nl|rp|mmp|mmt|rc|q)\b|[*†‡#!])\)?){1,3}$/iu,
);
const withoutMark = (cell: string): string => MARK.replace(cell, '');

/** `41:50 Min.`, `1:28:03 Std.`, `01h28:03`. The unit belongs to the first of two parts. */
const CLOCK_WITH_UNIT = new Pattern(/^(\d{1,3}:[\d:.,]+?)\s*(\p{L}+)\.?$/u);
const HOURS_AND_CLOCK = new Pattern(/^(\d{1,3})\s*(\p{L}+)\s*(\d\d:\d\d(?:[.,]\d+)?)$/u);

function clockWithUnitMs(cell: string): number | undefined {
  const [, hours, unitOfHours = '', minutes] = HOURS_AND_CLOCK.groups(cell);
  if (UNITS.get(unitOfHours.toLowerCase()) === 3_600) return clockMs(`${hours}:${minutes}`);
  const [, clock = '', unit = ''] = CLOCK_WITH_UNIT.groups(cell);
  const size = UNITS.get(unit.toLowerCase());
  if (size === 3_600 && isTwoParts(clock)) return clockMs(`${clock}:00`);
  return size === 3_600 || size === 60 ? clockMs(clock) : undefined;
}

/** The unit of a last number without a unit, by the unit before it: `1h28`, `41'50`. */
const NEXT_UNIT = new Map([
  [3_600, 60],
  [60, 1],
]);

const SINGLE_QUOTES = new Pattern(/[’′´`]/g);
const DOUBLE_QUOTES = new Pattern(/[”″]/g);
/** As in PT1H28M3S and P0DT1H28M3S. */
const DURATION_MARK = new Pattern(/^p(\d{1,3}d)?t(?=\d)/);
/** As in 1:28'03". */
const HOURS_BEFORE_MINUTES = new Pattern(/^(\d{1,3}):(?=\d{1,2}')/);
const AMOUNTS = new Pattern(/(\d{1,6})([.,]\d{1,3})?\s*([^\d\s.,]*)\s*/g);

function unitsMs(cell: string): number | undefined {
  const text = DOUBLE_QUOTES.replace(SINGLE_QUOTES.replace(cell.toLowerCase(), "'"), '"');
  const parts = HOURS_BEFORE_MINUTES.replace(DURATION_MARK.replace(text, '$1'), '$1h');
  let seconds = 0;
  let larger = Number.POSITIVE_INFINITY;
  let read = 0;
  for (const [all = '', number = '', fraction = '', unit = ''] of AMOUNTS.allGroups(parts)) {
    read += all.length;
    if (larger === 1 && unit === '' && fraction === '') {
      // Hundredths follow the seconds: 41'50"12.
      seconds += Number(`0.${number}`);
      larger = 0;
      continue;
    }
    const size = unit === '' ? NEXT_UNIT.get(larger) : UNITS.get(unit);
    const value = Number(number + fraction.replace(',', '.'));
    if (size === undefined || size >= larger || (fraction !== '' && size !== 1)) return undefined;
    if (larger !== Number.POSITIVE_INFINITY && value * size >= larger) return undefined;
    seconds += value * size;
    larger = size;
  }
  return read === parts.length && read > 0 ? Math.round(seconds * 1_000) : undefined;
}
