import { type Database, databaseUnavailable, transact } from '../db/client.ts';
import type { Log } from '../log.ts';
import { createDetails, type Details } from './details.ts';
import { createLookUp, type LookUp } from './look-up.ts';
import {
  findByShortIds,
  findDetails,
  findOpenBoards,
  plannedForAnEvent,
  selectRanking,
} from './queries.ts';
import {
  createRankings,
  freshMs,
  type LoadedRanking,
  type LoadRanking,
  type Rankings,
} from './rankings.ts';
import { createTurns, type Turns } from './turns.ts';

/**
 * Serves a board to any number of spectators.
 *
 *     spectator → default → [cache] → Board → [cache] → Ranking → database
 *
 * The Worker's default entrypoint passes board requests in a canonical form to the entrypoint Board. Board
 * computes each answer from the ranking of the event, which it gets from the entrypoint Ranking and keeps
 * until the ranking expires. Cloudflare's cache for Workers (https://developers.cloudflare.com/workers/cache/)
 * stands before both entrypoints and before nothing else. It sends one of several equal requests on. If
 * Board fails, it serves the last good answer.
 *
 * An answer expires with its ranking. A ranking expires 2 s after it was read, or later for more than
 * 20 000 runners (`freshMs`). So the database costs of an open board are
 *
 *     one reading for each lifetime of a ranking    by the data center that caches it
 *     one look-up for each change of a runner       by each isolate in which somebody asks for that runner
 *     nothing for an unknown bib, distance or page
 *
 * and they are the same for 1 spectator of each runner and for 50 000. A cold isolate first asks whether
 * the board is open. An isolate makes one look-up of each kind at a time, for all requests that wait.
 *
 * A data center without the others' cache reads for itself: 300 of them would read 300 times as often.
 * An isolate keeps the rankings of 250 000 runners. If spectators in one isolate watch more than that, it
 * gets rankings from the cache more often, not from the database. `wrangler dev` has no such cache: there
 * each isolate reads the database.
 */

/** The state that an isolate keeps for the boards that are being watched. */
export type Boards = {
  rankings: Rankings;
  details: Details;
  turns: Turns;
  /** Finds the ids of open boards by their first eight digits. */
  findByShortId: LookUp<string>;
};

type Options = { db: Database; load: LoadRanking; now: () => number; log: Log };

export function createBoards({ db, load, now, log }: Options): Boards {
  const findOpen = createLookUp(async (ids) => {
    const [open] = await transact(db, [findOpenBoards({ ids: `{${ids.join()}}` })]);
    return new Map(open.map(({ id }) => [id, true as const]));
  });
  const lookUpDetails = createLookUp(async (ids) => {
    const [details] = await transact(db, [findDetails({ ids: `{${ids.join()}}` })]);
    return new Map(details.map(({ id, detail }) => [id, detail]));
  });
  return {
    rankings: createRankings({ load, findOpen, now, log }),
    details: createDetails(lookUpDetails),
    turns: createTurns(),
    findByShortId: createLookUp(async (shortIds) => {
      const [found] = await transact(db, [findByShortIds({ shortIds: `{${shortIds.join()}}` })]);
      return new Map(found.map(({ short, id }) => [short, id]));
    }),
  };
}

/** Reads a ranking from the database. */
export const loadFromDatabase =
  (db: Database, now: () => number) =>
  async (eventId: string): Promise<(LoadedRanking & { runners: number }) | undefined> => {
    const readAtMs = now();
    const [, [found]] = await transact(db, [plannedForAnEvent({}), selectRanking({ eventId })]);
    return found && { ...found, readAtMs };
  };

const READ_AT = 'Read-At-Ms';

/** Raise it with each change of the document: a new version finds what the one before left in the cache. */
export const RANKING_FORMAT = 1;

/**
 * The answer of the entrypoint Ranking. Cloudflare's cache keeps it for all isolates for as long as each of
 * them would.
 */
export async function answerRanking(
  { db, log }: Pick<Options, 'db' | 'log'>,
  eventId: string,
): Promise<Response> {
  const startedAt = Date.now();
  const answer = await answerFrom(loadFromDatabase(db, Date.now), eventId, log);
  const { status } = answer;
  log.info({ level: 'info', route: 'Ranking', status, ms: Date.now() - startedAt, trips: 1 });
  return answer;
}

async function answerFrom(
  load: ReturnType<typeof loadFromDatabase>,
  eventId: string,
  log: Log,
): Promise<Response> {
  const notKept = { 'Cache-Control': 'private, no-store' };
  try {
    const loaded = await load(eventId);
    if (!loaded) return new Response(null, { status: 404, headers: notKept });
    const { document, runners, readAtMs } = loaded;
    const seconds = Math.floor(freshMs(runners) / 1_000);
    return new Response(document, {
      headers: {
        'Cache-Control': `public, max-age=${seconds}`,
        'Cache-Tag': eventId,
        [READ_AT]: `${readAtMs}`,
      },
    });
  } catch (error) {
    log.error('A ranking was not read', error);
    return new Response(null, { status: 503, headers: notKept });
  }
}

/** Reads a ranking from the entrypoint Ranking. @param ask requests a path of it */
export const loadFromEntrypoint =
  (ask: (path: string) => Promise<Response>): LoadRanking =>
  async (eventId) => {
    const response = await ask(`/${eventId}?format=${RANKING_FORMAT}`);
    if (response.status === 404) return undefined;
    const document = await response.text();
    if (!response.ok) throw databaseUnavailable();
    return { document, readAtMs: Number(response.headers.get(READ_AT)) };
  };
