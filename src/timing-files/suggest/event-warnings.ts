import { Pattern } from '../read/pattern.ts';
import { withoutAccents } from '../read/words.ts';
import type { Lines } from './measures.ts';
import { type Warning, warningIf } from './warning.ts';

/**
 * Facts from the database about the event and the results that a file would store. One statement reads them, and
 * their size does not depend on the size of the file or the event.
 */
export type EventFacts = {
  /** The start of the event, in ISO 8601. */
  eventDate: string;
  /** In ISO 8601. */
  now: string;
  /** Different bibs in the file. */
  bibs: number;
  /** Bibs of the file that are registered in the event. */
  knownBibs: number;
  storedResults: number;
  /** Stored results that would get another status or time. */
  changedResults: number;
  /** Rows of the latest upload; null if there was none. */
  latestBatchRows: number | null;
  /** Rows of the file. */
  rows: number;
  /** Lines whose registration is cancelled. */
  cancelled: Lines;
  /** Lines that would change a stored DNS, DNF or DSQ to FINISHED. */
  reinstated: Lines;
  /** Finish times of the file by the distance of the registration. */
  distances: readonly DistanceTimes[];
};

type DistanceTimes = {
  distance: string;
  count: number;
  fastestMs: number;
  slowestMs: number;
};

/** Faster than any runner, and slower than any walker. Bicycle races are faster and get the warning too. */
const FASTEST_MS_PER_KM = 120_000;
const SLOWEST_MS_PER_KM = 45 * 60_000;

const DAY_MS = 86_400_000;

const KNOWN_BIBS = 0.8;
const CHANGED_RESULTS = 0.2;

/** Warnings about a file that does not fit the event. */
export function eventWarnings(facts: EventFacts): Warning[] {
  const { eventDate, now, bibs, knownBibs, storedResults, changedResults } = facts;
  const { latestBatchRows, rows, cancelled, reinstated } = facts;
  const implausible = facts.distances.flatMap(implausibleTime);
  // An event has no time zone, but two instants of one day are less than 24 hours apart in every zone.
  const apartMs = Math.abs(Date.parse(now) - Date.parse(eventDate));
  return [
    ...warningIf(
      implausible.length > 0,
      'implausible_for_distance',
      `The times do not fit the distance: ${implausible.join(', ')}. Check the column and the time_format.`,
    ),
    ...warningIf(
      knownBibs < bibs * KNOWN_BIBS,
      'unknown_bibs',
      `${knownBibs} of ${bibs} bibs are registered in this event: check the bib column and the event.`,
    ),
    ...warningIf(
      cancelled.count > 0,
      'cancelled_registration',
      `${cancelled.count} rows are of cancelled registrations.`,
      cancelled.rows,
    ),
    ...warningIf(
      reinstated.count > 0,
      'status_would_change',
      `${reinstated.count} rows would change a stored DNS, DNF or DSQ to FINISHED.`,
      reinstated.rows,
    ),
    ...warningIf(
      changedResults > storedResults * CHANGED_RESULTS,
      'many_changes',
      `${changedResults} of ${storedResults} stored results would change.`,
    ),
    ...warningIf(
      latestBatchRows !== null && rows < latestBatchRows,
      'fewer_rows',
      `The file has ${rows} rows; the upload before it had ${latestBatchRows}.`,
    ),
    ...warningIf(
      apartMs >= DAY_MS,
      'not_event_day',
      `The event is on ${eventDate}, and now it is ${now}.`,
    ),
  ];
}

/** The time of a distance that is too fast or too slow, in words. */
function implausibleTime({ distance, count, fastestMs, slowestMs }: DistanceTimes): string[] {
  const km = kilometres(distance);
  if (km === undefined || count === 0) return [];
  if (fastestMs < km * FASTEST_MS_PER_KM) {
    return [`the fastest ${distance} takes ${spell(fastestMs)}`];
  }
  const isSlow = slowestMs > km * SLOWEST_MS_PER_KM;
  return isSlow ? [`the slowest ${distance} takes ${spell(slowestMs)}`] : [];
}

const NAMED_KM: [Pattern, number][] = [
  [new Pattern(/\b(half|media|meia|mezza|demi|semi|halb|halve|mitja)/), 21.0975],
  [new Pattern(/\bmarat/), 42.195],
];

const UNIT_KM: Record<string, number> = { k: 1, km: 1, kms: 1, kilometros: 1, kilometres: 1 };

const LENGTH = new Pattern(
  /(?<![\d.,])(\d+(?:[.,]\d+)?)\s*(kms?|kilometros|kilometres|k|mi|miles?|millas|m)\b/,
);

/** The length that a distance's name says, as in 10K, 21,1 km, 5 miles, Media maratón. */
export function kilometres(distance: string): number | undefined {
  const plain = withoutAccents(distance).toLowerCase();
  const [, number = '', unit = ''] = LENGTH.groups(plain);
  if (number === '') return NAMED_KM.find(([pattern]) => pattern.test(plain))?.[1];
  const value = Number(number.replace(',', '.'));
  if (unit === 'm') return value >= 100 ? value / 1_000 : undefined;
  return value * (UNIT_KM[unit] ?? 1.609344);
}

function spell(timeMs: number): string {
  const minutes = Math.floor(timeMs / 60_000);
  const seconds = Math.floor((timeMs % 60_000) / 1_000);
  return minutes < 60
    ? `${minutes} min ${seconds} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
