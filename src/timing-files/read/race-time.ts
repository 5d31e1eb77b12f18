const ZERO = '0'.charCodeAt(0);

/** The accepted forms, for error messages. */
export const RACE_TIME_FORMS = 'HH:MM:SS, HH:MM:SS.mmm or MM:SS';

/** The pattern of the API document for `parseRaceTime`, which also accepts blanks around a time. */
export const RACE_TIME_PATTERN =
  '^([0-9]{1,3}:[0-5][0-9]:[0-5][0-9]|[0-9]{1,2}:[0-5][0-9])([.,][0-9]{1,3})?$';

/**
 * Milliseconds of a race time; undefined if the text is no race time (contract section 2, ResultIn).
 *
 *     [H[H[H]]:]MM:SS[.f[f[f]]]     "." may be ","; the first part may have a single digit
 *
 * Seconds are under 60, and so are minutes after hours.
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

/** Milliseconds of the text after the seconds; NaN if the text is no fraction. */
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

// An export writes some hundred thousand race times. Four parts are joined faster than seven.
const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));
const BEFORE_COLON = TWO_DIGITS.map((digits) => `${digits}:`);
const FRACTIONS = Array.from({ length: 1_000 }, (_, ms) => `.${String(ms).padStart(3, '0')}`);

/** `HH:MM:SS.mmm` of a whole number of milliseconds. */
export function formatRaceTime(timeMs: number): string {
  const seconds = Math.floor(timeMs / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${BEFORE_COLON[hours] ?? `${hours}:`}${BEFORE_COLON[minutes % 60]}${TWO_DIGITS[seconds % 60]}${FRACTIONS[timeMs % 1_000]}`;
}

/** Like `formatRaceTime`, for a time that may be missing. */
export const formatRaceTimeOrNull = (timeMs: number | null): string | null =>
  timeMs === null ? null : formatRaceTime(timeMs);

/** The whole number between two places of a text; NaN if not all characters are digits. */
function numberIn(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}
