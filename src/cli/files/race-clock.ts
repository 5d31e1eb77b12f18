import * as z from 'zod/mini';
import { lengthKm } from '../../timing-files/read/distance.ts';
import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import { say } from '../words.ts';

const WALL = /^(\d{4})-(\d\d)-(\d\d)[T ](\d{1,2}):(\d\d)(?::(\d\d))?$/;

/** When the gun of each distance went off, as the clocks of a zone showed it. */
export const Starts = z.object({
  zone: z.string().check(z.refine(isZone, 'no zone such as Europe/Madrid')),
  times: z.record(z.string(), z.string().check(z.regex(WALL))),
});
export type Starts = z.infer<typeof Starts>;

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

/** Why a time of day is no race time. `found` is the cell or the distance. */
export class ClockError {
  readonly code: 'no_start' | 'before_start' | 'hour_twice';
  readonly found: string;
  readonly message: string;

  constructor(code: ClockError['code'], found: string) {
    this.code = code;
    this.found = found;
    this.message = say(`reason_${code}`, { found });
  }
}

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
/** Faster than any runner. Nobody runs more than 60 km at the pace of a short race. */
const [FASTEST_MS_PER_KM, FASTEST_FAR_MS_PER_KM, FAR_KM] = [120_000, 200_000, 60];

/** `Km 10`, `10K`: how far a point is from the start, if its name says it. */
export function kmOfPoint(point: string): number | undefined {
  const [, number] = /\bkm ?(\d+(?:[.,]\d+)?)\b/i.exec(point) ?? [];
  return number === undefined ? lengthKm(point) : Number(number.replace(',', '.'));
}

/** The fields of a clock in milliseconds, as if it showed UTC. */
type Read = { wallMs: number; isDated: boolean; offsetMs: number | undefined };

/** Turns times of day into times since the start of the runner's distance, over midnights and a change of the clocks. */
export class RaceClock {
  readonly #starts: ReadonlyMap<string, number>;
  readonly #distances: ReadonlyMap<string, string | null>;
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  /** @param distances those of all bibs */
  constructor({ zone, times }: Starts, distances: ReadonlyMap<string, string | null>) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      timeZoneName: 'longOffset',
    });
    this.#distances = distances;
    this.#starts = new Map(
      Object.entries(times).flatMap(([distance, time]) =>
        this.#instants(readCell(time)?.wallMs ?? 0).map((ms) => [distance, ms] as const),
      ),
    );
  }

  /**
   * @param point undefined for the finish
   * @returns a cell that is no time of day as it is
   * @throws ClockError
   */
  raceTime(bib: string, cell: string, point?: string): string {
    const read = readCell(cell);
    // A bib that nobody has is rejected by the API.
    const distance = this.#distances.get(bib);
    if (!read || distance === undefined) return cell;
    const startMs = this.#starts.get(distance ?? '');
    if (startMs === undefined) throw new ClockError('no_start', distance ?? '-');
    const km = point === undefined ? lengthKm(distance ?? '') : kmOfPoint(point);
    const perKm = km !== undefined && km > FAR_KM ? FASTEST_FAR_MS_PER_KM : FASTEST_MS_PER_KM;
    const [first = []] = this.#candidates(read, startMs)
      .map((instants) => instants.filter((ms) => ms - startMs >= Math.max(1, (km ?? 0) * perKm)))
      .filter((instants) => instants.length > 0);
    const [elapsedFrom] = first;
    if (elapsedFrom === undefined) throw new ClockError('before_start', cell.trim());
    // Nobody knows which of the two hours it was.
    if (first.length > 1) throw new ClockError('hour_twice', cell.trim());
    return formatRaceTime(elapsedFrom - startMs);
  }

  /** The instants that a clock may have meant, day by day. A time without a date is of the day of the start or later. */
  #candidates({ wallMs, isDated, offsetMs }: Read, startMs: number): number[][] {
    if (offsetMs !== undefined && isDated) return [[wallMs - offsetMs]];
    if (isDated) return [this.#instants(wallMs)];
    const day = Math.floor((startMs + this.#offset(startMs)) / DAY_MS) * DAY_MS;
    return [0, 1, 2].map((days) => {
      const ms = day + days * DAY_MS + wallMs;
      return offsetMs === undefined ? this.#instants(ms) : [ms - offsetMs];
    });
  }

  /** In the hour that comes twice there are two. In the hour that is left out, a clock went on as before. */
  #instants(wallMs: number): number[] {
    const offsets = [this.#offset(wallMs - DAY_MS), this.#offset(wallMs + DAY_MS)];
    const found = [...new Set(offsets)]
      .map((offset) => wallMs - offset)
      .filter((ms) => ms + this.#offset(ms) === wallMs);
    return found.length > 0
      ? found.sort((one, other) => one - other)
      : [wallMs - (offsets[0] ?? 0)];
  }

  /** How far the clocks of the zone are ahead of UTC. */
  #offset(instantMs: number): number {
    const quarter = Math.floor(instantMs / QUARTER_MS);
    const known = this.#offsets.get(quarter);
    if (known !== undefined) return known;
    // `10/25/2026, GMT+02:00`
    const [, sign, hours, minutes] =
      /([+-])(\d\d):(\d\d)/.exec(this.#format.format(quarter * QUARTER_MS)) ?? [];
    const offset = offsetMsOf(sign, hours, minutes);
    this.#offsets.set(quarter, offset);
    return offset;
  }
}

const offsetMsOf = (sign: string | undefined, hours = '0', minutes = '0'): number =>
  (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);

const CELL =
  /^(?:(?:(\d{4})-(\d\d)-(\d\d)|(\d{1,2})\.(\d{1,2})\.(\d{4}))[T ]+)?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(?:([ap])\.?\s?m\.?)?\s*(?:(z)|([+-])(\d\d):?(\d\d))?$/i;

function readCell(cell: string): Read | undefined {
  const found = CELL.exec(cell.trim().slice(0, 60));
  if (!found) return undefined;
  const [, y, m, d, day, month, year, h, min, sec = '0', part = '0', half, zulu, sign, oh, om] =
    found;
  const number = (text = '0') => Number(text);
  const hour = half ? (number(h) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : number(h);
  if (hour > 23 || number(min) > 59 || number(sec) > 59) return undefined;
  const ms = Math.floor(number(`0.${part}`) * 1_000);
  const ofDayMs = ((hour * 60 + number(min)) * 60 + number(sec)) * 1_000 + ms;
  const isDated = (y ?? year) !== undefined;
  const dayMs = isDated ? Date.UTC(number(y ?? year), number(m ?? month) - 1, number(d ?? day)) : 0;
  const offsetMs = offsetMsOf(sign, oh, om);
  return { wallMs: dayMs + ofDayMs, isDated, offsetMs: zulu || sign ? offsetMs : undefined };
}
