import { timed } from '../log.ts';
import type { LookUp } from './look-up.ts';
import { type Ranking, readRanking } from './ranking.ts';
import { createQueue, type Waiting, waitFor } from './waiting.ts';

/** The text of a RankingDocument, and when it was read. */
export type LoadedRanking = { document: string; readAtMs: number };

/** @returns undefined if the event has no open board */
export type LoadRanking = (eventId: string) => Promise<LoadedRanking | undefined>;

/** A ranking, and for how long an answer that is computed from it may be kept. */
type CurrentRanking = { ranking: Ranking; freshSeconds: number };

/**
 * Finds the ranking of an event, or undefined if the event has no open board.
 * @throws ApiError SERVICE_UNAVAILABLE
 */
export type Rankings = (eventId: string, waiting: Waiting) => Promise<CurrentRanking | undefined>;

/** The shortest time between two readings of a board, and the part of it that each runner adds. */
const FRESH_MIN_MS = 2_000;
const FRESH_MS_PER_RUNNER = 0.1;

/** How long a ranking is served: 2 s, or 1 s for each 10 000 runners. */
export const freshMs = (runners: number): number =>
  Math.max(FRESH_MIN_MS, Math.ceil(runners * FRESH_MS_PER_RUNNER));

/** The memory of an isolate holds the rankings that were read last: about 25 MB of them. */
const RUNNERS_MAX = 250_000;
/** The memory that a board takes beside its runners, counted in runners. */
const BOARD_WEIGHT = 100;

/** A refresh needs several times the memory of a ranking, so few of them run at once. */
const REFRESHES_AT_ONCE = 2;

type Options = {
  load: LoadRanking;
  /** Finds the ids of open boards among others. */
  findOpen: LookUp<unknown>;
  now: () => number;
};

type Kept = { ranking: Ranking; freshUntilMs: number };

/** Keeps the rankings of the boards that are being watched. */
export function createRankings({ load, findOpen, now }: Options): Rankings {
  /** The one that was read last comes last. */
  const kept = new Map<string, Kept>();
  const refreshing = new Map<string, Promise<Kept | undefined>>();
  const queues = Array.from({ length: REFRESHES_AT_ONCE }, () => createQueue());

  function startRefresh(eventId: string, waiting: Waiting) {
    const queue = queues.shift() ?? createQueue();
    queues.push(queue);
    const refresh = queue(waiting, async () => {
      waiting.logFields.trips += 1;
      try {
        const loading = waitFor(load(eventId));
        const loaded = await timed(waiting.logFields, 'postgres_ms', loading);
        kept.delete(eventId);
        return loaded && keep(eventId, loaded);
      } finally {
        refreshing.delete(eventId);
      }
    });
    refreshing.set(eventId, refresh);
    return refresh;
  }

  function keep(eventId: string, { document, readAtMs }: LoadedRanking): Kept {
    const ranking = readRanking(document);
    const current = { ranking, freshUntilMs: readAtMs + freshMs(ranking.rows.length) };
    kept.set(eventId, current);
    let runners = 0;
    for (const [id, { ranking }] of [...kept].reverse()) {
      runners += ranking.rows.length + BOARD_WEIGHT;
      if (runners > RUNNERS_MAX && id !== eventId) kept.delete(id);
    }
    return current;
  }

  async function refreshed(eventId: string, waiting: Waiting): Promise<Kept | undefined> {
    if (!kept.has(eventId) && !(await findOpen([eventId], waiting)).has(eventId)) return undefined;
    try {
      return await waitFor(refreshing.get(eventId) ?? startRefresh(eventId, waiting));
    } catch (error) {
      // The runtime may have ended the request that was refreshing. The next one tries again.
      refreshing.delete(eventId);
      throw error;
    }
  }

  return async (eventId, waiting) => {
    const known = kept.get(eventId);
    const isFresh = known !== undefined && now() < known.freshUntilMs;
    const current = isFresh ? known : await refreshed(eventId, waiting);
    if (!current) return undefined;
    const freshSeconds = Math.max(1, Math.ceil((current.freshUntilMs - now()) / 1_000));
    return { ranking: current.ranking, freshSeconds };
  };
}
