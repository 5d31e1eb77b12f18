/**
 * Date, time and offset from UTC in ISO 8601. Date and time are both basic (`20301231T2359Z`) or both
 * extended (`2030-12-31T23:59Z`). The offset may be either, because many programs mix the two.
 */
const INSTANT = new RegExp(
  String.raw`^(?<year>\d{4})(?<dash>-?)` +
    String.raw`(?:(?<month>\d\d)\k<dash>(?<day>\d\d)|(?<dayOfYear>\d{3})|W(?<week>\d\d)\k<dash>(?<weekday>[1-7]))` +
    String.raw`T(?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d))?)?(?:[.,](?<fraction>\d+))?` +
    String.raw`(?:Z|(?<sign>[+-])(?<offsetHour>\d\d)(?::?(?<offsetMinute>\d\d))?)$`,
  'i',
);

/** Room for a fraction that some program writes with many digits. */
const LONGEST = 100;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Parts = Record<string, string | undefined>;

/**
 * Reads ISO 8601: a calendar, ordinal or week date, `T`, a time to the hour, minute or second, and `Z` or
 * an offset. The last part of the time may have a fraction, cut off at the millisecond. `24:00` is the
 * end of the day.
 *
 * The published parsers differ: date-fns and luxon accept a basic date with an extended time, Temporal knows no
 * week dates, moment refuses a fraction of a minute.
 * @returns undefined for any other text, and for a day or a time that does not exist
 */
export function parseInstant(text: string): Date | undefined {
  if (text.length > LONGEST) return undefined;
  const parts: Parts | undefined = INSTANT.exec(text)?.groups;
  if (!parts) return undefined;
  const { dash, colon } = parts;
  if (colon !== undefined && (dash === '') !== (colon === '')) return undefined;
  const dayMs = startOfDay(parts);
  const timeMs = timeOfDay(parts);
  const offsetMs = offsetOf(parts);
  if (dayMs === undefined || timeMs === undefined || offsetMs === undefined) return undefined;
  return new Date(dayMs + timeMs - offsetMs);
}

const numberOf = (digits = '0'): number => Number(digits);

/** Milliseconds since 1970 of a day in UTC. Days outside the month count into the next or previous one. */
const utcDay = (year: number, month: number, day: number): number =>
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  new Date(0).setUTCFullYear(year, month - 1, day);

function startOfDay({ year, month, day, dayOfYear, week, weekday }: Parts): number | undefined {
  const ofYear = numberOf(year);
  if (week !== undefined) {
    // Week 1 contains January 4. A week belongs to the year of its Thursday.
    const fourthIsOn = (new Date(utcDay(ofYear, 1, 4)).getUTCDay() + 6) % 7;
    const monday = 4 - fourthIsOn + (numberOf(week) - 1) * 7;
    const thursday = new Date(utcDay(ofYear, 1, monday + 3));
    if (thursday.getUTCFullYear() !== ofYear) return undefined;
    return utcDay(ofYear, 1, monday + numberOf(weekday) - 1);
  }
  if (dayOfYear !== undefined) {
    const date = new Date(utcDay(ofYear, 1, numberOf(dayOfYear)));
    return date.getUTCFullYear() === ofYear ? date.getTime() : undefined;
  }
  const date = new Date(utcDay(ofYear, numberOf(month), numberOf(day)));
  const exists = date.getUTCMonth() + 1 === numberOf(month) && date.getUTCDate() === numberOf(day);
  return exists ? date.getTime() : undefined;
}

function timeOfDay({ hour, minute, second, fraction }: Parts): number | undefined {
  if (numberOf(minute) > 59 || numberOf(second) > 59) return undefined;
  const unitMs = minute === undefined ? HOUR_MS : second === undefined ? MINUTE_MS : SECOND_MS;
  const wholeMs =
    numberOf(hour) * HOUR_MS + numberOf(minute) * MINUTE_MS + numberOf(second) * SECOND_MS;
  // Rounding first avoids float errors: 0.001 of an hour would be 3599.9999999999995 ms.
  const fractionMs = Math.floor(Number((Number(`0.${fraction ?? 0}`) * unitMs).toFixed(6)));
  const timeMs = wholeMs + fractionMs;
  return timeMs <= DAY_MS ? timeMs : undefined;
}

function offsetOf({ sign, offsetHour, offsetMinute }: Parts): number | undefined {
  const [hours, minutes] = [numberOf(offsetHour), numberOf(offsetMinute)];
  if (hours > 23 || minutes > 59) return undefined;
  const offsetMs = hours * HOUR_MS + minutes * MINUTE_MS;
  return sign === '-' ? -offsetMs : offsetMs;
}
