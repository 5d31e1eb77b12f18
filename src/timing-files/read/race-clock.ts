import { lengthKm } from './distance.ts';
import { Pattern } from './pattern.ts';
import { type CoursePoint, kmOn } from './point.ts';
import { RowError } from './reason-codes.ts';
import { type Start, startOf } from './starts.ts';
import { plainDigits, quoted } from './text.ts';

/** The facts of an event for a clock. */
type Race = {
  /** Such as Europe/Madrid. Null: clocks have the offset in the runner's sent start. */
  zone: string | null;
  starts: readonly Start[];
  /** The points with known kilometres. */
  points: readonly CoursePoint[];
  /** The distances of all bibs in the file. */
  distances: ReadonlyMap<string, string | null>;
};

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
/** Faster than any runner. Nobody runs more than 60 km at the pace of a short race. */
const [FASTEST_MS_PER_KM, FASTEST_FAR_MS_PER_KM, FAR_KM] = [120_000, 200_000, 60];

/** The fields of a clock in milliseconds, as if it showed UTC. Without a date, the fields belong to the day. */
type Read = { wallMs: number; isDated: boolean; offsetMs: number | undefined };

/** How far clocks are ahead of UTC at an instant. */
type OffsetAt = (instantMs: number) => number;

/** Turns times of day into times since the gun of a runner, over midnights and a change of the clocks. */
export class RaceClock {
  readonly #race: Race;
  readonly #ofZone: OffsetAt | undefined;

  constructor(race: Race) {
    this.#race = race;
    this.#ofZone = race.zone === null ? undefined : offsetsOf(race.zone);
  }

  /**
   * Milliseconds since the gun.
   * @param point undefined for the finish
   * @returns undefined for a cell without a time of day
   * @throws RowError
   */
  timeMs(bib: string, cell: string, point?: string): number | undefined {
    const read = readTimeOfDay(cell);
    if (!read) return undefined;
    const { points } = this.#race;
    const { distance, start } = this.#startOf(bib);
    const startMs = Date.parse(start.starts_at);
    const km = point === undefined ? lengthKm(distance ?? '') : kmOn(points, point, distance);
    const perKm = km !== undefined && km > FAR_KM ? FASTEST_FAR_MS_PER_KM : FASTEST_MS_PER_KM;
    const leastMs = startMs + Math.max(1, (km ?? 0) * perKm);
    const [first = []] = this.#candidates(read, start)
      .map((instants) => instants.filter((ms) => ms >= leastMs))
      .filter((instants) => instants.length > 0);
    const [instantMs] = first;
    if (instantMs === undefined) {
      throw new RowError(
        `The time of day ${quoted(cell)} is before the start, or too soon after it for anybody.`,
        'before_start',
        cell.trim(),
      );
    }
    if (first.length > 1) throw hourTwice(cell);
    return instantMs - startMs;
  }

  #startOf(bib: string): { distance: string | null; start: Start } {
    const { starts, distances } = this.#race;
    const known = distances.get(bib);
    const distance = known ?? null;
    // The row of an unknown bib is counted as an unknown bib, whatever its time.
    const start =
      startOf(starts, { bib, distance }) ?? (known === undefined ? starts[0] : undefined);
    if (start) return { distance, start };
    const whose = distance === null ? `bib ${quoted(bib)}` : `distance ${quoted(distance)}`;
    throw new RowError(
      `No start was told for the ${whose}: tell the starts of the event, and send the row again.`,
      'no_start',
      distance ?? bib,
    );
  }

  /**
   * The instants that a clock may have meant, day by day. A time without a date belongs to the day of the start or
   * later.
   */
  #candidates({ wallMs, isDated, offsetMs }: Read, start: Start): number[][] {
    const offsetAt = this.#offsets(offsetMs, start);
    if (isDated) return [instantsOf(wallMs, offsetAt)];
    const startMs = Date.parse(start.starts_at);
    const dayMs = Math.floor((startMs + offsetAt(startMs)) / DAY_MS) * DAY_MS;
    return [0, 1, 2].map((days) => instantsOf(dayMs + days * DAY_MS + wallMs, offsetAt));
  }

  /**
   * The offset of the cell, else the offsets of the zone, else the offset of the start. `Z` says nothing about the
   * clocks at the event.
   */
  #offsets(sentMs: number | undefined, { name, starts_at }: Start): OffsetAt {
    if (sentMs === undefined && this.#ofZone) return this.#ofZone;
    const offsetMs = sentMs ?? offsetOf(starts_at);
    if (offsetMs !== undefined) return () => offsetMs;
    throw new RowError(
      `The event has no time zone, and its start ${quoted(name)} was told in UTC. Tell the start with the offset of the ` +
        'clocks there, as in 2027-05-09T09:00:00+02:00, or write the offset behind each time of day.',
      'no_time_zone',
    );
  }
}

/** The cell does not say which of the two hours is meant. */
const hourTwice = (cell: string): RowError =>
  new RowError(
    `The hour of ${quoted(cell)} comes twice, because the clocks go back. Write the date and the offset, as in ` +
      '2026-10-25T02:30:00+01:00.',
    'hour_twice',
    cell.trim(),
  );

/** The instants at which clocks show a text. The hour that comes twice has two instants. */
function instantsOf(wallMs: number, offsetAt: OffsetAt): number[] {
  const offsets = [offsetAt(wallMs - DAY_MS), offsetAt(wallMs + DAY_MS)];
  const found = [...new Set(offsets)]
    .map((offset) => wallMs - offset)
    .filter((ms) => ms + offsetAt(ms) === wallMs);
  // In the missing hour, a clock went on as before.
  return found.length > 0 ? found.sort((one, other) => one - other) : [wallMs - (offsets[0] ?? 0)];
}

/** `10/25/2026, GMT+02:00` */
const GMT = new Pattern(/GMT([+-])(\d\d):(\d\d)/);

/** The offsets of a zone. @returns undefined for an unknown zone */
function offsetsOf(zone: string): OffsetAt | undefined {
  const format = formatOf(zone);
  if (!format) return undefined;
  const known = new Map<number, number>();
  return (instantMs) => {
    const quarter = Math.floor(instantMs / QUARTER_MS);
    const found = known.get(quarter);
    if (found !== undefined) return found;
    const [, sign, hours, minutes] = GMT.groups(format.format(quarter * QUARTER_MS));
    const offset = offsetMsOf(sign, hours, minutes);
    known.set(quarter, offset);
    return offset;
  };
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}

/** Whether a zone has a known name, such as Europe/Madrid. */
export const isZone = (zone: string): boolean => formatOf(zone) !== undefined;

/** The first instant at which the clocks of a zone show a date and time; undefined if the text is none. */
export function instantIn(zone: string, wall: string): number | undefined {
  const read = readTimeOfDay(wall);
  const offsetAt = offsetsOf(zone);
  return read?.isDated && offsetAt ? instantsOf(read.wallMs, offsetAt)[0] : undefined;
}

const offsetMsOf = (sign: string | undefined, hours = '0', minutes = '0'): number =>
  (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1) || 0;

const OFFSET = new Pattern(/([+-])(\d\d):?(\d\d)$/);

/** The offset at the end of an instant; undefined for `Z`. */
export function offsetOf(instant: string): number | undefined {
  const [, sign, hours, minutes] = OFFSET.groups(instant);
  return sign === undefined ? undefined : offsetMsOf(sign, hours, minutes);
}

/** Whether a cell is a time of day, or a date and a time. */
export const isMoment = (cell: string): boolean => readTimeOfDay(cell) !== undefined;

/** Milliseconds between two moments. Between two times of day, the finish may be after midnight. */
export function timeBetween(start: string, finish: string): number | undefined {
  const [from, to] = [readTimeOfDay(start), readTimeOfDay(finish)];
  if (!from || !to) return undefined;
  const ms = to.wallMs - from.wallMs;
  if (!from.isDated || !to.isDated) return ((ms % DAY_MS) + DAY_MS) % DAY_MS;
  return Math.max(0, ms - (to.offsetMs ?? 0) + (from.offsetMs ?? 0));
}

const CELL = new Pattern(
  /^(?:(?:(\d{4})-(\d\d)-(\d\d)|(\d{1,2})\.(\d{1,2})\.(\d{4}))[T ]+)?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(?:([ap])\.?\s?m\.?)?\s*(?:(z)|([+-])(\d\d):?(\d\d))?$/i,
);

function readTimeOfDay(cell: string): Read | undefined {
  const text = plainDigits(cell.trim());
  const [all, y, m, d, day, month, year, h, min, sec = '0', part = '0', half, zulu, ...offset] =
    CELL.groups(text);
  if (all === undefined) return readSerial(text);
  const number = (digits = '0') => Number(digits);
  if (half && (number(h) < 1 || number(h) > 12)) return undefined;
  const hour = half ? (number(h) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : number(h);
  if (hour > 23 || number(min) > 59 || number(sec) > 59) return undefined;
  const ms = Math.floor(number(`0.${part}`) * 1_000);
  const ofDayMs = ((hour * 60 + number(min)) * 60 + number(sec)) * 1_000 + ms;
  const isDated = (y ?? year) !== undefined;
  const date = new Date(Date.UTC(number(y ?? year), number(m ?? month) - 1, number(d ?? day)));
  if (isDated && date.getUTCDate() !== number(d ?? day)) return undefined;
  const dayMs = isDated ? date.getTime() : 0;
  const [sign, hours, minutes] = offset;
  const offsetMs = zulu || sign ? offsetMsOf(sign, hours, minutes) : undefined;
  return { wallMs: dayMs + ofDayMs, isDated, offsetMs };
}

const SERIAL = new Pattern(/^(\d{0,5})[.,](\d{1,20})$/);
/** A spreadsheet counts days from the end of 1899. The spreadsheet's day 20 000 is in 1954. */
const SERIAL_DAY_0_MS = Date.UTC(1899, 11, 30);
const SERIAL_DAY_MIN = 20_000;

/** A time as a spreadsheet stores it: days with a fraction, or the fraction of a day alone. */
function readSerial(text: string): Read | undefined {
  const [all, whole = '', fraction] = SERIAL.groups(text);
  if (all === undefined) return undefined;
  const days = Number(whole);
  const ofDayMs = Math.round(Number(`0.${fraction}`) * DAY_MS);
  if (days === 0) return { wallMs: ofDayMs % DAY_MS, isDated: false, offsetMs: undefined };
  if (days < SERIAL_DAY_MIN) return undefined;
  return { wallMs: SERIAL_DAY_0_MS + days * DAY_MS + ofDayMs, isDated: true, offsetMs: undefined };
}
