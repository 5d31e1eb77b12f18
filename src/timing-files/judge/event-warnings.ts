import type { Lines } from '../read/lines.ts';
import { DEFAULT_RULE, RANKS, type RankingRule, type RankTime } from '../read/ranking-rule.ts';
import { type DistanceTimes, distanceWarnings } from './distances.ts';
import { type Warning, warningIf } from './warning.ts';

/**
 * Facts from the database about the event and a file's results. A single statement reads the facts, whose size does not
 * grow with the file or the event.
 */
export type EventFacts = {
  /** The start of the event, in ISO 8601. */
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

/** The warning about removed splits. @param isDone whether they are removed already */
export const splitsRemovedWarning = ({ count, rows }: Lines, isDone = false): Warning[] =>
  warningIf(
    count > 0,
    'splits_removed',
    `${count === 1 ? '1 result' : `${count} results`} ${isDone ? 'lost' : 'would lose'} splits: an upload replaces all splits of a ` +
      'result. Send them with its time, or send the times of points as passings.',
    rows,
  );

/** The warning about removed gun times. @param isDone whether they are removed already */
export const gunTimesRemovedWarning = ({ count, rows }: Lines, isDone = false): Warning[] =>
  warningIf(
    count > 0,
    'gun_times_removed',
    `${count === 1 ? '1 result' : `${count} results`} ${isDone ? 'lost' : 'would lose'} the gun time: an upload replaces ` +
      'both times of a result. Send the gun time beside the chip time.',
    rows,
  );

/** Warnings about a file that contradicts the event. @param stored the kind of rows in the file */
export function eventWarnings(
  facts: EventFacts,
  stored: 'results' | 'passings' = 'results',
): Warning[] {
  const { eventDate, now, bibs, knownBibs, storedResults, changedResults } = facts;
  const { latestBatchRows, rows, cancelled, reinstated, splitsRemoved, gunTimesRemoved } = facts;
  // Few events name their time zone. Two instants of a day are less than 24 hours apart in every zone.
  const apartMs = Math.abs(Date.parse(now) - Date.parse(eventDate));
  return [
    ...distanceWarnings(facts.distances),
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
      `${reinstated.count} rows would change another stored status to FINISHED.`,
      reinstated.rows,
    ),
    ...splitsRemovedWarning(splitsRemoved),
    ...gunTimesRemovedWarning(gunTimesRemoved),
    ...warningIf(
      changedResults > storedResults * CHANGED_RESULTS,
      'many_changes',
      `${changedResults} of ${storedResults} stored ${stored} would change.`,
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
    const what = without.count === 1 ? '1 row has' : `${without.count} rows have`;
    const by = time === overall ? 'the event ranks' : 'the event ranks in categories';
    return warningIf(
      without.count > 0 && (isKnown || rankBy !== DEFAULT_RULE),
      'rank_time_missing',
      `${what} no ${time} time, by which ${by}: the ${time === 'chip' ? 'gun' : 'chip'} time ranks instead.`,
      without.rows,
    );
  });
}
