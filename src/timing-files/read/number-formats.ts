import { Pattern } from './pattern.ts';
import { formatRaceTime } from './race-time.ts';

const DAY_MS = 86_400_000;

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
  if (kind === 'time' && value < DAYS_MAX) return clockOf(value);
  const firstDay = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const instant = new Date(firstDay + Math.floor(value) * DAY_MS);
  if (Number.isNaN(instant.getTime())) return String(value);
  const date = instant.toISOString().slice(0, 10);
  return kind === 'time' ? clockOf(value % 1) : date;
}

/** `1:28:03`, or with milliseconds if not zero. */
function clockOf(days: number): string {
  const clock = formatRaceTime(Math.round(days * DAY_MS));
  const short = clock.startsWith('0') ? clock.slice(1) : clock;
  return short.endsWith('.000') ? short.slice(0, -4) : short;
}
