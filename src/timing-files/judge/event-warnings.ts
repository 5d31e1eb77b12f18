import type { Lines } from '../read/lines.ts';
import { DEFAULT_RULE, RANKS, type RankingRule, type RankTime } from '../read/ranking-rule.ts';
import { type DistanceTimes, distanceWarnings } from './distances.ts';
import { aboutLines, type Warning, warningIf } from './warning.ts';

/**
 * Facts from the database about the event and a file's results. A single statement reads the facts, whose size does not
 * grow with the file or the event.
 */
export type EventFacts = {
  /** The told start nearest to now, else the date of the event. In ISO 8601. */
  eventDate: string;
  /** In ISO 8601. */
  now: string;
  /** Different bibs in the file. */
  bibs: number;
  /** Bibs of the file with a registration in the event. */
  knownBibs: number;
  storedResults: number;
  /** Stored results whose status or time would change. */
  changedResults: number;
  /** Rows of the latest upload; null without an upload. */
  latestBatchRows: number | null;
  /** Rows of the file. */
  rows: number;
  /** Lines whose registration is cancelled. */
  cancelled: Lines;
  /** Lines that would change a stored status to FINISHED. */
  reinstated: Lines;
  /** Lines whose stored result has a split that is missing in the file. */
  splitsRemoved: Lines;
  /** Lines whose stored result has a gun time and a chip time, of which the file has only the chip time. */
  gunTimesRemoved: Lines;
  /** Lines that say DNS of a runner with a passing, or have a passing of a runner who is DNS. */
  dnsWithPassing: Lines;
  /** Lines that equal a time before the correction of the start. */
  oldGun: Lines;
  /** Finish times of the file by the distance of the registration. */
  distances: readonly DistanceTimes[];
  /** The times behind the event's ranking. Null for a file without finishes. */
  ranking: Ranking | null;
};

/** The rule of the event, and the file's times for the rules. */
type Ranking = { rankBy: RankingRule } & Record<RankTime, RankedBy>;

type RankedBy = {
  /** Lines of finishers without the time. */
  without: Lines;
  /** Whether a finisher of the file or of the event has the time. */
  isKnown: boolean;
};

const DAY_MS = 86_400_000;

const KNOWN_BIBS = 0.8;
const CHANGED_RESULTS = 0.2;

/** Warnings about a file that contradicts the event. @param stored the kind of rows in the file */
export function eventWarnings(
  facts: EventFacts,
  stored: 'results' | 'passings' = 'results',
): Warning[] {
  const { eventDate, now, bibs, knownBibs, rows, latestBatchRows } = facts;
  const { storedResults, changedResults } = facts;
  // Few events name their time zone. Two instants of a day are less than 24 hours apart in every zone.
  const apartMs = Math.abs(Date.parse(now) - Date.parse(eventDate));
  return [
    ...distanceWarnings(facts.distances),
    ...warningIf(knownBibs < bibs * KNOWN_BIBS, 'unknown_bibs', { known: knownBibs, bibs }),
    ...aboutLines('cancelled_registration', facts.cancelled),
    ...aboutLines('status_would_change', facts.reinstated),
    ...aboutLines('splits_removed', facts.splitsRemoved),
    ...aboutLines('gun_times_removed', facts.gunTimesRemoved),
    ...aboutLines('dns_with_passing', facts.dnsWithPassing),
    ...aboutLines('old_gun', facts.oldGun),
    ...warningIf(changedResults > storedResults * CHANGED_RESULTS, `many_changes:${stored}`, {
      changed: changedResults,
      stored: storedResults,
    }),
    ...warningIf(latestBatchRows !== null && rows < latestBatchRows, 'fewer_rows', {
      rows,
      before: latestBatchRows ?? 0,
    }),
    ...warningIf(apartMs >= DAY_MS, 'not_event_day', { day: eventDate, now }),
    ...(facts.ranking ? rankTimeMissing(facts.ranking) : []),
  ];
}

/**
 * Finishers without a time for the event's ranking. For an event without a chosen rule, the warning needs a finisher
 * with the time.
 */
function rankTimeMissing({ rankBy, ...times }: Ranking): Warning[] {
  const { overall, category } = RANKS[rankBy];
  return [...new Set([overall, category])].flatMap((time) => {
    const { without, isKnown } = times[time];
    if (!isKnown && rankBy === DEFAULT_RULE) return [];
    const where = time === overall ? (`${time}` as const) : (`${time}_in_categories` as const);
    return aboutLines(`rank_time_missing:${where}`, without);
  });
}
