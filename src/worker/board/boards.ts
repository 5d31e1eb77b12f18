import { type Database, databaseUnavailable, transact } from '../db/client.ts';
import { plannedForEvent } from '../db/planned.ts';
import type { Statement } from '../db/statement.ts';
import type { Log } from '../log.ts';
import { createLookUp, type LookUp } from './look-up.ts';
import { findDetails, findOpenBoards, selectRanking } from './queries.ts';
import {
  createRankings,
  freshMs,
  type LoadedRanking,
  type LoadRanking,
  type Rankings,
} from './rankings.ts';
import type { Detail } from './runner.ts';
import { createQueue, type Queue } from './waiting.ts';

/**
 * Serves a board to any number of spectators.
 *
 *     spectator → default → [cache] → Board → [cache] → Board → database
 *
 * The Worker's default entrypoint passes board requests in a canonical form to the entrypoint Board. Board
 * computes each answer from the ranking of the event, which it asks of itself and keeps until the ranking
 * expires. Cloudflare's cache for Workers (https://developers.cloudflare.com/workers/cache/) stands before
 * Board and before nothing else, so all isolates share a ranking. It sends one of several equal requests on.
 * If Board fails, it serves the last good answer.
 *
 * An answer expires with its ranking. A ranking expires 2 s after it was read, or later for more than
 * 20 000 runners (`freshMs`). So the database costs of an open board are
 *
 *     one reading for each lifetime of a ranking        by the data center that caches it
 *     one look-up of names for an answer in that time   by its data center, the names of the board's page once
 *     nothing for an unknown bib, distance or page
 *
 * An isolate makes one look-up of each kind at a time, for all requests that wait. A cold one first asks
 * whether the board is open.
 *
 * A data center without the others' cache reads for itself: 300 of them would read 300 times as often.
 * An isolate keeps the rankings of 250 000 runners. If spectators in one isolate watch more than that, it
 * gets rankings from the cache more often, not from the database. `wrangler dev` has no such cache: there
 * each isolate reads the database.
 */

/** The state that an isolate keeps for the boards that are being watched. */
export type Boards = {
  rankings: Rankings;
  /** Finds the id of an open board by the id itself or by its first eight digits. */
  findOpen: LookUp<string>;
  /** Finds names and splits by the id of the registration. */
  findDetails: LookUp<Detail>;
  /** The requests for boards wait here for their turns. */
  turns: Queue;
};

/** A turn that has not begun after this time never will. */
const TURN_MAX_MS = 1_000;

type Options = { db: Database; load: LoadRanking; now: () => number };

export function createBoards({ db, load, now }: Options): Boards {
  const lookUp = <V>(
    find: (values: { keys: string }) => Statement<{ key: string; value: V }[]>,
  ): LookUp<V> =>
    createLookUp(async (keys) => {
      const [rows] = await transact(db, [find({ keys: `{${keys.join()}}` })]);
      return new Map(rows.map(({ key, value }) => [key, value]));
    });
  const findOpen = lookUp(findOpenBoards);
  return {
    rankings: createRankings({ load, findOpen, now }),
    findOpen,
    findDetails: lookUp(findDetails),
    turns: createQueue(TURN_MAX_MS),
  };
}

/** Reads a ranking from the database. */
export const loadFromDatabase =
  (db: Database, now: () => number) =>
  async (eventId: string): Promise<(LoadedRanking & { runners: number }) | undefined> => {
    const readAtMs = now();
    const [, [found]] = await transact(db, [plannedForEvent(), selectRanking({ eventId })]);
    return found && { ...found, readAtMs };
  };

const READ_AT = 'Read-At-Ms';
/** No request from outside has this address: the default entrypoint passes on `/board/…` alone. */
const RANKING = 'https://board/ranking/';

export const isForRanking = ({ url }: Request): boolean => url.startsWith(RANKING);

/** Answers with the text of a ranking. The cache keeps it for as long as each isolate would. */
export async function answerRanking(
  { db, log }: { db: Database; log: Log },
  request: Request,
): Promise<Response> {
  const startedAt = Date.now();
  const eventId = new URL(request.url).pathname.replace('/ranking/', '');
  function answer(status: number, headers: HeadersInit, document: string | null = null) {
    log.info({ level: 'info', route: '/ranking', status, ms: Date.now() - startedAt, trips: 1 });
    return new Response(document, { status, headers });
  }
  const notKept = { 'Cache-Control': 'private, no-store' };
  try {
    const loaded = await loadFromDatabase(db, Date.now)(eventId);
    if (!loaded) return answer(404, notKept);
    const headers = {
      'Cache-Control': `public, max-age=${Math.floor(freshMs(loaded.runners) / 1_000)}`,
      'Cache-Tag': eventId,
      [READ_AT]: `${loaded.readAtMs}`,
    };
    return answer(200, headers, loaded.document);
  } catch (error) {
    log.error('A ranking was not read', error);
    return answer(503, notKept);
  }
}

/**
 * Reads a ranking from Board.
 * @param ask sends a request to it
 * @param version of the Worker. Versions share the cache, and each has a form of the document.
 */
export const loadFromEntrypoint =
  (ask: (url: string) => Promise<Response>, version: string): LoadRanking =>
  async (eventId) => {
    const response = await ask(`${RANKING}${eventId}?version=${version}`);
    if (response.status === 404) return undefined;
    const document = await response.text();
    if (!response.ok) throw databaseUnavailable();
    return { document, readAtMs: Number(response.headers.get(READ_AT)) };
  };
