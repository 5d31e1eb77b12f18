import { Pattern } from './pattern.ts';
import { formatRaceTime } from './race-time.ts';

const DAY_MS = 86_400_000;
/** A number of so many digits is exact. */
export const SAFE_DIGITS = 15;

/** The kind of value behind a workbook's number format. */
export type NumberKind = 'number' | 'time' | 'date' | { digits: number };

/** A time of more days is a date with a time of day. */
const DAYS_MAX = 40;

/** Texts, colours and conditions in a format, and escaped signs. `[h]` stays. */
const TEXTS = new Pattern(/"[^"]*"|\\.|\[(?![hms]+\])[^\]]*\]/gi);
const DATE = new Pattern(/[yd]/i);
const TIME = new Pattern(/[hs]/i);
const DIGITS = new Pattern(/^0{2,9}$/);

/** The kind of a format code such as `[h]:mm:ss` or `000`. */
export function kindOfCode(code: string): NumberKind {
  const [shown = ''] = TEXTS.replace(code, '').split(';');
  if (TIME.test(shown)) return 'time';
  if (DATE.test(shown)) return 'date';
  return DIGITS.test(shown) ? { digits: shown.length } : 'number';
}

/** The kinds of the formats that every spreadsheet has by number. */
export function kindOfBuiltIn(id: number): NumberKind {
  if ((id >= 18 && id <= 22) || (id >= 45 && id <= 47) || (id >= 32 && id <= 35)) return 'time';
  return (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
    ? 'date'
    : 'number';
}

/** A number in its format: times as `H:MM:SS`, over 24 hours too, and dates as in ISO 8601. */
export function shownNumber(cell: string, kind: NumberKind, is1904: boolean): string {
  const value = Number(cell);
  if (cell.trim() === '' || !Number.isFinite(value)) return cell;
  if (typeof kind === 'object') return String(value).padStart(kind.digits, '0');
  if (kind === 'number' || value < 0) return String(value);
  const timeMs = kind === 'time' ? clockMs(value) : undefined;
  if (timeMs !== undefined) return clockOf(timeMs);
  const firstDay = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const instant = new Date(firstDay + Math.floor(value) * DAY_MS);
  if (Number.isNaN(instant.getTime())) return String(value);
  return kind === 'time' ? clockOf(msOf(value % 1)) : dateOf(instant);
}

/** The day of `toISOString`, which takes three times as long. */
function dateOf(instant: Date): string {
  const year = instant.getUTCFullYear();
  if (year > 9_999) return instant.toISOString().slice(0, 10);
  const [month, day] = [instant.getUTCMonth() + 1, instant.getUTCDate()];
  return `${year}${month < 10 ? '-0' : '-'}${month}${day < 10 ? '-0' : '-'}${day}`;
}

const ZERO = '0'.charCodeAt(0);

const msOf = (days: number): number => Math.round(days * DAY_MS);

/** The milliseconds of a time in days; undefined for a date with a time of day. */
export const clockMs = (days: number): number | undefined =>
  days >= 0 && days < DAYS_MAX ? msOf(days) : undefined;

/** `1:28:03`, or with milliseconds if not zero. */
function clockOf(timeMs: number): string {
  const clock = formatRaceTime(timeMs);
  return clock.slice(clock.charCodeAt(0) === ZERO ? 1 : 0, timeMs % 1_000 === 0 ? -4 : undefined);
}
