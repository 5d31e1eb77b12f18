import { inTime } from '../in-time.ts';
import { type Log, timed } from '../log.ts';
import type { LookUp } from './look-up.ts';
import { type Ranking, readRanking } from './ranking.ts';
import { tooSlow, WAIT_MS, type Waiting } from './waiting.ts';

/** The text of a RankingDocument, and when it was read. */
export type LoadedRanking = { document: string; readAtMs: number };

/** @returns undefined if the event has no open board */
export type LoadRanking = (eventId: string) => Promise<LoadedRanking | undefined>;

/** A ranking, and for how long an answer that is computed from it may be kept. */
type CurrentRanking = { ranking: Ranking; freshSeconds: number };

export type Rankings = {
  /**
   * @returns undefined if the event has no open board
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  find(eventId: string, waiting: Waiting): Promise<CurrentRanking | undefined>;
};

/** The shortest time between two readings of a board, and the part of it that each runner adds. */
const FRESH_MIN_MS = 2_000;
const FRESH_MS_PER_RUNNER = 0.1;

/** How long a ranking is served: 2 s, or 1 s for each 10 000 runners. */
export const freshMs = (runners: number): number =>
  Math.max(FRESH_MIN_MS, Math.ceil(runners * FRESH_MS_PER_RUNNER));

/** Where the database fails, a ranking is served for this much longer. The page calls older data failing. */
const STALE_MS = 25_000;
/** The time between two attempts meanwhile, and how long a request waits for one. */
const RETRY_MS = 2_000;
const PATIENCE_MS = 1_000;

/** The memory of an isolate holds the rankings that were used last: about 25 MB of them. */
const RUNNERS_MAX = 250_000;
/** The memory that a board takes beside its runners, counted in runners. */
const BOARD_WEIGHT = 100;

/** A refresh needs several times the memory of a ranking, so few of them run at once. */
const REFRESHES_AT_ONCE = 2;

type Options = {
  load: LoadRanking;
  /** Finds the ids of open boards among others. */
  findOpen: LookUp<true>;
  now: () => number;
  log: Log;
};

type Kept = { ranking: Ranking; freshUntilMs: number; staleUntilMs: number };

/** Keeps the rankings of the boards that are being watched. */
export function createRankings({ load, findOpen, now, log }: Options): Rankings {
  /** The least recently used comes first. */
  const kept = new Map<string, Kept>();
  const refreshing = new Map<string, Promise<Kept | undefined>>();
  const lanes: Promise<unknown>[] = Array.from({ length: REFRESHES_AT_ONCE }, () =>
    Promise.resolve(),
  );

  function startRefresh(eventId: string, waiting: Waiting) {
    const lane = lanes.shift() ?? Promise.resolve();
    const refresh = refreshed();
    const settled = refresh.catch((error: unknown) => {
      log.error('A board was not read', error);
      postpone(eventId);
    });
    lanes.push(settled);
    refreshing.set(eventId, refresh);
    // Other requests wait for it too: it goes on if this client leaves.
    waiting.waitUntil(settled);
    return refresh;

    async function refreshed() {
      // A request that the runtime has ended never gives its lane back.
      await inTime(lane, WAIT_MS, tooSlow).catch(() => {});
      waiting.logFields.trips += 1;
      try {
        const loading = inTime(load(eventId), WAIT_MS, tooSlow);
        const loaded = await timed(waiting.logFields, 'postgres_ms', loading);
        if (loaded) return keep(eventId, loaded);
        kept.delete(eventId);
        return undefined;
      } finally {
        if (refreshing.get(eventId) === refresh) refreshing.delete(eventId);
      }
    }
  }

  function keep(eventId: string, { document, readAtMs }: LoadedRanking) {
    const ranking = readRanking(document);
    const freshUntilMs = readAtMs + freshMs(ranking.size);
    const current = { ranking, freshUntilMs, staleUntilMs: freshUntilMs + STALE_MS };
    kept.delete(eventId);
    kept.set(eventId, current);
    let runners = 0;
    for (const { ranking } of kept.values()) runners += ranking.size + BOARD_WEIGHT;
    for (const [id, { ranking }] of kept) {
      if (runners <= RUNNERS_MAX || id === eventId) break;
      kept.delete(id);
      runners -= ranking.size + BOARD_WEIGHT;
    }
    return current;
  }

  /** After a failure: the next attempt comes later, until the ranking is too old. */
  function postpone(eventId: string) {
    const known = kept.get(eventId);
    if (!known) return;
    if (now() >= known.staleUntilMs) kept.delete(eventId);
    else known.freshUntilMs = Math.min(now() + RETRY_MS, known.staleUntilMs);
  }

  async function find(eventId: string, waiting: Waiting): Promise<Kept | undefined> {
    const known = kept.get(eventId);
    if (!known) {
      const open = await findOpen([eventId], waiting);
      if (!open.has(eventId)) return undefined;
    } else if (now() < known.freshUntilMs) {
      kept.delete(eventId);
      kept.set(eventId, known);
      return known;
    }
    const refresh = refreshing.get(eventId) ?? startRefresh(eventId, waiting);
    try {
      return await inTime(refresh, known ? PATIENCE_MS : WAIT_MS, tooSlow);
    } catch (error) {
      const stale = kept.get(eventId);
      if (stale && now() < stale.staleUntilMs) return stale;
      // The runtime may have ended the request that was refreshing. The next one tries again.
      if (refreshing.get(eventId) === refresh) refreshing.delete(eventId);
      throw error;
    }
  }

  return {
    async find(eventId, waiting) {
      const found = await find(eventId, waiting);
      if (!found) return undefined;
      const { ranking, freshUntilMs } = found;
      return { ranking, freshSeconds: Math.max(1, Math.ceil((freshUntilMs - now()) / 1_000)) };
    },
  };
}
