import type { BoardRace, BoardSnapshot } from '../../../../worker/board/answer-schemas.ts';
import { firstGunAt } from './starts.ts';

const HOUR_MS = 3_600_000;
/** Results arrive every few seconds in a race. The page is live while the latest is this recent. */
const LIVE_MS = 5 * 60_000;
/** A race with arrivals is over when nothing arrived for this time. */
const OVER_MS = 3 * HOUR_MS;
/** A race without arrivals is over this long after its date: no race takes longer to its first finisher. */
const NO_RESULTS_MS = 24 * HOUR_MS;
/**
 * A runner arrives after the start of the event and the runner's own time. Waves start later, and a day without a time
 * begins earlier in the east. A later result comes from a file uploaded after the race.
 */
const WAVES_MS = 12 * HOUR_MS;
const DAY_MS = 36 * HOUR_MS;

/**
 * `before`: the date is to come. `waiting`: the date has come, and no runner arrived. `live`: a runner arrived in the
 * last minutes. `quiet`: not in the last minutes. `over`: not in the last hours, or not since the results became official.
 * `updated`: results were stored or corrected after the race. `empty`: the race is over and has no results.
 */
export type RaceState = 'before' | 'waiting' | 'live' | 'quiet' | 'over' | 'updated' | 'empty';

/** @param time `HH:MM:SS.mmm` */
const toMs = (time: string) =>
  time.split(':').reduce((sum, part) => 60 * sum + Number(part) * 1_000, 0);

type Races = readonly Pick<BoardRace, 'arrivals'>[];

/**
 * @param now by the server's clock
 * @returns `at`: the last arrival, or the correction after it
 */
export function raceState(
  { event, races, official }: Pick<BoardSnapshot, 'event' | 'official'> & { races: Races },
  now: number,
): { state: RaceState; at: number | undefined } {
  const startsAt = firstGunAt(event) ?? Date.parse(event.event_date);
  const [last] = races
    .flatMap((race) => race.arrivals.slice(0, 1))
    .map(({ arrived_at, time }) => ({ at: Date.parse(arrived_at), timeMs: toMs(time) }))
    .toSorted((one, other) => other.at - one.at);
  if (!last) {
    if (now < startsAt) return { state: 'before', at: undefined };
    return { state: now - startsAt < NO_RESULTS_MS ? 'waiting' : 'empty', at: undefined };
  }
  const isSeen =
    last.at < startsAt + last.timeMs + (firstGunAt(event) === undefined ? DAY_MS : WAVES_MS);
  const ago = now - last.at;
  // An upload that began before the version may have ended after the version: only an equal version is sure of its moment.
  const sinceMs = Date.parse(official?.made_at ?? '') - last.at;
  const isSettled = sinceMs >= (official?.state === 'official' ? 0 : LIVE_MS);
  if (isSeen && !isSettled && ago < OVER_MS)
    return { state: ago < LIVE_MS ? 'live' : 'quiet', at: last.at };
  const changedAt = Date.parse(event.changed_at ?? '') || last.at;
  const isUpdated = !isSeen || changedAt > last.at + LIVE_MS;
  return isUpdated ? { state: 'updated', at: changedAt } : { state: 'over', at: last.at };
}

/** Sorts instants or times, the largest first. Both are plain text: a browser needs 20 ms to load its rules of languages. */
export const descending = (one: string, other: string): number =>
  Number(one < other) - Number(one > other);

/** Nobody arrives any more. */
export const isOver = (state: RaceState) =>
  state === 'over' || state === 'updated' || state === 'empty';

export const total = (counts: BoardRace['counts']) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

type Counted = Pick<BoardRace, 'entered' | 'counts'>;

/** The runners still expected at the finish. Runners who did not start have not entered. */
const expected = ({ entered, counts }: Counted) => entered + counts.DNS - total(counts);

/** Somebody is still expected at the finish. */
export const isOnCourse = (race: Counted) => expected(race) > 0;

/** A point of the course saw somebody. */
export const hasPassings = ({ points }: Pick<BoardRace, 'points'>) =>
  points.some(({ passed }) => passed > 0);

/**
 * The race that a board opens: with the most runners on the course, or else the largest. The runners of a race are on
 * the course once a point or the finish saw a runner, until the event is over.
 */
export function openingRace<Race extends Counted & Pick<BoardRace, 'points'>>(
  races: readonly Race[],
  isEventOver: boolean,
): Race | undefined {
  const onCourse = (race: Race) =>
    !isEventOver && (total(race.counts) > 0 || hasPassings(race)) ? expected(race) : 0;
  const [first] = races.toSorted(
    (one, other) => onCourse(other) - onCourse(one) || other.entered - one.entered,
  );
  return first;
}

/** A picture of fewer finishers or minutes says no more than their list. */
const CHARTED_FROM = 10;
const MINUTES_FROM = 3;

type Charted = Pick<BoardRace, 'counts' | 'finish_times' | 'arrivals_per_minute'>;

/** The pictures of a race that say more than its lists: the finish times, and the arrivals until the race is over. */
export function chartsOf(
  { counts, finish_times, arrivals_per_minute }: Charted,
  isRaceOver: boolean,
) {
  if (counts.FINISHED < CHARTED_FROM) return {};
  const minutes = arrivals_per_minute?.groups[0]?.counts.length ?? 0;
  const isRunning = !isRaceOver && minutes >= MINUTES_FROM;
  return { finishTimes: finish_times, arrivalTimes: isRunning ? arrivals_per_minute : null };
}
