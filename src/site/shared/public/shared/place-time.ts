import { isDay } from '../../../../timing-files/read/event-day.ts';
import { locale } from './texts.ts';

const formats: Map<string, Intl.DateTimeFormat> = new Map();

/** A format of dates. A browser takes a millisecond to make a format, and phones several. */
export function dateFormat(
  language: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = JSON.stringify([language, options]);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, known);
  return known;
}

/** @param name the event's text: any text. Undefined for a text that is no time zone */
export function zoneOf(name: string | null): string | undefined {
  if (name === null) return undefined;
  try {
    dateFormat('en', { timeZone: name });
    return name;
  } catch {
    return undefined;
  }
}

/** The form of a time of day in a race, on both pages. */
export const MINUTE: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
};

/** A time of a race, by the clock of its place. For an unknown place, the time is the reader's and names its zone. */
export const formatInPlace = (
  at: number | Date,
  options: Intl.DateTimeFormatOptions,
  timeZone: string | undefined,
): string =>
  dateFormat(locale, {
    ...options,
    ...(timeZone === undefined ? { timeZoneName: 'short' } : { timeZone }),
  }).format(at);

/** The day of an event in its place. For an unknown place, the day is the reader's. @param instant ISO 8601 */
export const formatDayInPlace = (
  instant: string,
  options: Intl.DateTimeFormatOptions,
  timeZone: string | undefined,
): string =>
  dateFormat(locale, {
    ...options,
    ...(isDay(instant) ? { timeZone: 'UTC' } : timeZone ? { timeZone } : {}),
  }).format(new Date(instant));
