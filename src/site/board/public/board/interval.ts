/** When a page of the board asks again. The race simulator counts the requests of spectators with these functions. */

import { isOver, type RaceState } from './race-state.ts';

/**
 * During a race, the page asks for the board so often. A cache answers for two seconds, so a spectator learns of an
 * arrival within 10 s.
 */
const RACE_MS = 7_900;
/** Before a race and after it, nobody arrives. */
const REST_MS = 30_000;
/** Intervals are shorter by up to this part, randomly, so that readers do not send their requests at once. */
const JITTER = 0.1;
/** The shortest interval of a hidden page. */
const HIDDEN_MS = 30_000;
/** A page that is hidden for this long asks again when the reader comes back. */
const ASLEEP_MS = 60_000;
/** The first interval after a failure. The interval grows by half with each of `RETRIES` further failures: to 25 s. */
const RETRY_MS = 5_000;
const RETRIES = 4;

/** If the board has changed, the page asks soon for a runner whom the change may concern, and later for another runner. */
const CONCERNED_MS = 5_000;
const CHANGED_MS = 60_000;

export const boardIntervalMs = (state: RaceState): number =>
  state === 'before' || isOver(state) ? REST_MS : RACE_MS;

/** Milliseconds to the next request. */
export function waitMs(
  intervalMs: number,
  { failures, isHidden, random }: { failures: number; isHidden: boolean; random: number },
): number {
  const usual = failures === 0 ? intervalMs : RETRY_MS * 1.5 ** Math.min(failures - 1, RETRIES);
  return Math.max(usual, isHidden ? HIDDEN_MS : 0) * (1 - JITTER * random);
}

/** @param hiddenMs how long the page has been hidden; 0 if a reader sees the page */
export const isAsleep = (hiddenMs: number): boolean => hiddenMs > ASLEEP_MS;

type Races = readonly {
  arrivals: readonly { bib_number: string | null }[];
  counts?: { FINISHED: number };
}[];

/**
 * Whether the board says that a followed runner may have arrived, or may have lost the result. The board shows the last
 * arrivals alone: if none of them was there before, more have come.
 * @param isAwaited the runner had no result
 */
export function mayConcern(bib: string, isAwaited: boolean, before: Races, now: Races): boolean {
  if (!isAwaited) return finishedIn(now) < finishedIn(before);
  const known = new Set(bibsIn(before));
  return now.some((race) => {
    const bibs = bibsIn([race]);
    return bibs.includes(bib) || (bibs.length > 0 && !bibs.some((shown) => known.has(shown)));
  });
}

const bibsIn = (races: Races) =>
  races.flatMap(({ arrivals }) => arrivals.map(({ bib_number }) => bib_number));

const finishedIn = (races: Races) =>
  races.reduce((sum, { counts }) => sum + (counts?.FINISHED ?? 0), 0);

/** The shortest time between two requests for a followed runner while the board changes. */
export const runnerIntervalMs = (isConcerned: boolean): number =>
  isConcerned ? CONCERNED_MS : CHANGED_MS;
