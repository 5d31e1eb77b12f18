const ZERO = '0'.charCodeAt(0);

/** The accepted forms, as told to whoever sent another one. */
export const RACE_TIME_FORMS = 'HH:MM:SS, HH:MM:SS.mmm or MM:SS';

/** What `parseRaceTime` accepts, blanks around it aside, as the API's document says it. */
export const RACE_TIME_PATTERN = '^(\\d{1,3}:[0-5]\\d:[0-5]\\d|\\d{1,2}:[0-5]\\d)([.,]\\d{1,3})?$';

/**
 * Milliseconds of a race time, undefined where the text is none (contract section 2, ResultIn).
 *
 *     [H[H[H]]:]MM:SS[.f[f[f]]]     "." may be ","; the first part may be one digit
 *
 * Minutes stay under 60 where there are hours, seconds always.
 */
export function parseRaceTime(text: string): number | undefined {
  const clock = text.trim();
  const colon = clock.indexOf(':');
  const hasHours = clock[colon + 3] === ':';
  const secondsAt = hasHours ? colon + 4 : colon + 1;
  const end = secondsAt + 2;
  if (colon < 1 || colon > (hasHours ? 3 : 2)) return undefined;

  const first = numberIn(clock, 0, colon);
  const minutes = hasHours ? numberIn(clock, colon + 1, colon + 3) : first;
  const seconds = numberIn(clock, secondsAt, end);
  if (!(seconds < 60) || (hasHours && !(minutes < 60))) return undefined;

  const timeMs = ((hasHours ? first * 60 : 0) + minutes) * 60_000 + seconds * 1_000;
  const ms = timeMs + fractionMs(clock, end);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Milliseconds of what follows the seconds; NaN where that is no fraction. */
function fractionMs(clock: string, at: number): number {
  if (clock.length === at) return 0;
  if (clock[at] !== '.' && clock[at] !== ',') return Number.NaN;
  const value = numberIn(clock, at + 1, clock.length);
  switch (clock.length - at - 1) {
    case 1:
      return value * 100;
    case 2:
      return value * 10;
    case 3:
      return value;
    default:
      return Number.NaN;
  }
}

/** `HH:MM:SS.mmm` of a whole number of milliseconds. */
export function formatRaceTime(timeMs: number): string {
  const part = (value: number, width: number) => String(Math.floor(value)).padStart(width, '0');
  const seconds = timeMs / 1_000;
  const clock = [seconds / 3_600, (seconds / 60) % 60, seconds % 60];
  return `${clock.map((value) => part(value, 2)).join(':')}.${part(timeMs % 1_000, 3)}`;
}

/** The same of a time that there may be none of. */
export const formatRaceTimeOrNull = (timeMs: number | null): string | null =>
  timeMs === null ? null : formatRaceTime(timeMs);

/** The whole number that stands there; NaN where not all of it is digits. */
function numberIn(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}
