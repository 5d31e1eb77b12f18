import { Pattern } from '../read/pattern.ts';
import { withoutAccents } from '../read/words.ts';
import type { Warning, WarningCode } from './warning.ts';

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
  cancelled: FoundLines;
  /** Lines that would change a stored DNS, DNF or DSQ to FINISHED. */
  reinstated: FoundLines;
  /** Finish times of the file by the distance of the registration. */
  distances: readonly DistanceTimes[];
};

export type FoundLines = { count: number; rows: readonly number[] };

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
  return [
    ...implausibleDistances(facts.distances),
    ...unknownBibs(facts),
    ...linesWarning('cancelled_registration', facts.cancelled, 'are of cancelled registrations'),
    ...linesWarning(
      'status_would_change',
      facts.reinstated,
      'would change a stored DNS, DNF or DSQ to FINISHED',
    ),
    ...storedWarnings(facts),
    ...dayWarning(facts),
  ];
}

const warning = (code: WarningCode, detail: string, rows: readonly number[] = []): Warning => ({
  code,
  detail,
  rows: [...rows],
});

const linesWarning = (code: WarningCode, { count, rows }: FoundLines, what: string): Warning[] =>
  count === 0 ? [] : [warning(code, `${count} rows ${what}.`, rows)];

function implausibleDistances(distances: readonly DistanceTimes[]): Warning[] {
  const implausible = distances.flatMap(({ distance, count, fastestMs, slowestMs }) => {
    const km = kilometres(distance);
    if (km === undefined || count === 0) return [];
    if (fastestMs < km * FASTEST_MS_PER_KM)
      return [`the fastest ${distance} takes ${spell(fastestMs)}`];
    return slowestMs > km * SLOWEST_MS_PER_KM
      ? [`the slowest ${distance} takes ${spell(slowestMs)}`]
      : [];
  });
  return implausible.length === 0
    ? []
    : [
        warning(
          'implausible_for_distance',
          `The times do not fit the distance: ${implausible.join(', ')}. Check the column and the time_format.`,
        ),
      ];
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

function unknownBibs({ bibs, knownBibs }: EventFacts): Warning[] {
  if (bibs === 0 || knownBibs >= bibs * KNOWN_BIBS) return [];
  return [
    warning(
      'unknown_bibs',
      `${knownBibs} of ${bibs} bibs are registered in this event: check the bib column and the event.`,
    ),
  ];
}

function storedWarnings(facts: EventFacts): Warning[] {
  const { storedResults, changedResults, latestBatchRows, rows } = facts;
  const found: Warning[] = [];
  if (storedResults > 0 && changedResults > storedResults * CHANGED_RESULTS) {
    found.push(
      warning('many_changes', `${changedResults} of ${storedResults} stored results would change.`),
    );
  }
  if (latestBatchRows !== null && rows < latestBatchRows) {
    found.push(
      warning(
        'fewer_rows',
        `The file has ${rows} rows; the upload before it had ${latestBatchRows}.`,
      ),
    );
  }
  return found;
}

/** An event has no time zone, but two instants of one day are less than 24 hours apart in every zone. */
function dayWarning({ eventDate, now }: EventFacts): Warning[] {
  const apartMs = Math.abs(Date.parse(now) - Date.parse(eventDate));
  if (apartMs < DAY_MS) return [];
  return [warning('not_event_day', `The event is on ${eventDate}, and now it is ${now}.`)];
}

function spell(timeMs: number): string {
  const minutes = Math.floor(timeMs / 60_000);
  const seconds = Math.floor((timeMs % 60_000) / 1_000);
  return minutes < 60
    ? `${minutes} min ${seconds} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
