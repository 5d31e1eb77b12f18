const WITH_HOURS = /^(\d{1,3}):([0-5]\d):([0-5]\d)(?:[.,](\d{1,3}))?$/;
const WITHOUT_HOURS = /^(\d{1,2}):([0-5]\d)(?:[.,](\d{1,3}))?$/;

/** The accepted forms, as told to whoever sent another one. */
export const RACE_TIME_FORMS = 'HH:MM:SS, HH:MM:SS.mmm or MM:SS';

/** Both of the above, for the API's description. */
export const RACE_TIME_PATTERN = `${WITH_HOURS.source}|${WITHOUT_HOURS.source}`;

/**
 * Milliseconds of a race time, undefined where the text is none (contract section 2, ResultIn).
 *
 *     [H[H[H]]:]MM:SS[.f[f[f]]]     "." may be ","; the first part may be one digit
 *
 * Minutes stay under 60 where there are hours, seconds always.
 */
export function parseRaceTime(text: string): number | undefined {
  const trimmed = text.trim();
  const long = WITH_HOURS.exec(trimmed);
  if (long) return toMs(long[1], long[2], long[3], long[4]);
  const short = WITHOUT_HOURS.exec(trimmed);
  if (short) return toMs('0', short[1], short[2], short[3]);
  return undefined;
}

/** `HH:MM:SS.mmm` of a whole number of milliseconds. */
export function formatRaceTime(timeMs: number): string {
  const part = (value: number, width: number) => String(Math.floor(value)).padStart(width, '0');
  const seconds = timeMs / 1_000;
  const clock = [seconds / 3_600, (seconds / 60) % 60, seconds % 60];
  return `${clock.map((value) => part(value, 2)).join(':')}.${part(timeMs % 1_000, 3)}`;
}

const toMs = (hours?: string, minutes?: string, seconds?: string, fraction = ''): number =>
  (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000 +
  Number(fraction.padEnd(3, '0'));
