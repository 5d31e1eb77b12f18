import { locale } from './texts.ts';

/** @param name the event's text: any text. Undefined for a text that is no time zone */
export function zoneOf(name: string | null): string | undefined {
  if (name === null) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
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
  new Intl.DateTimeFormat(locale, {
    ...options,
    ...(timeZone === undefined ? { timeZoneName: 'short' } : { timeZone }),
  }).format(at);
