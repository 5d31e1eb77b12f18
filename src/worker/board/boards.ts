import { type Database, transact } from '../db/client.ts';
import { plannedForEvent } from '../db/planned.ts';
import { following, type Statement } from '../db/statement.ts';
import { createGate, type Gate } from '../gate/gate.ts';
import { createTurns, type Turns } from '../gate/turns.ts';
import type { Log } from '../log.ts';
import { keepResults } from '../results/official/keep.ts';
import { type Course, readCourse } from './course.ts';
import {
  type CachedFetch,
  createDocuments,
  type Documents,
  KINDS,
  type Kind,
  shareDocuments,
} from './documents.ts';
import { findDetails, type RunnerDetails } from './find-details.ts';
import { createLookUp, type LookUp } from './look-up.ts';
import { type Names, readNames } from './names.ts';
import { findCodes, findOwners, selectNames, selectRanking } from './queries.ts';
import { type Ranking, readRanking } from './ranking.ts';
import { selectCourse } from './select-course.ts';
import type { Waiting } from './waiting.ts';

/**
 * Serves a board to any number of spectators.
 *
 *     spectator → default → [cache] → Board → [cache] → Board → database
 *
 * The Worker's default entrypoint passes board requests in a canonical form to the entrypoint Board. Board computes
 * each answer from documents of the event, which Board requests from itself (`CachedFetch`) and keeps until they
 * expire. Cloudflare's cache for Workers (https://developers.cloudflare.com/workers/cache/) stands before Board alone,
 * so all isolates share a document. The cache sends on a single request of several equal requests. If Board fails, the
 * cache serves the last good answer.
 *
 * The ranking expires after 2 s, or later for more than 20 000 runners. The points of the course expire after 2 s,
 * or later for more than 100 000 passings, and the public names after four times as long as the ranking. So the
 * database costs of an open board are
 *
 *     a reading for each lifetime of a document         by the data center that caches the document
 *     a look-up of a runner in this lifetime            by the runner's data center
 *     nothing for further lists, pages, names and bibs
 *
 * An isolate makes a look-up at a time for each organization, and a look-up for strangers who ask for boards that may
 * be closed. An isolate reads two documents at a time, of two organizations.
 *
 * A data center without a shared cache reads alone: 300 data centers would read 300 times as often. `createRoom` bounds
 * the memory of an isolate. If the spectators of an isolate exceed the memory, the isolate gets documents from the
 * cache more often, not from the database. `wrangler dev` has no such cache: each isolate reads the database.
 */

/** An isolate's state for the boards with spectators. */
export type Boards = {
  rankings: Documents<Ranking>;
  names: Documents<Names>;
  courses: Documents<Course>;
  /** Finds the splits and the versions of a registration by its id. */
  findDetails: LookUp<RunnerDetails>;
  /** Finds the event of a short address, if its board is open. */
  findCode: (code: string, waiting: Waiting) => Promise<string | undefined>;
  /** The requests for boards wait here for their turns. */
  turns: Turns;
};

/** A turn that has not begun after this time will never begin. */
const TURN_MAX_MS = 1_000;

type Reading = { db: Database; log: Log; gate: Gate };

type Options = Omit<Reading, 'gate'> & {
  gate?: Gate;
  now: () => number;
  /** Without `fetch`, no cache stands before the database. */
  fetch?: CachedFetch | undefined;
};

export function createBoards({ db, log, gate = createGate(), now, fetch }: Options): Boards {
  const findOwner = lookUp(db, findOwners);
  const findCode = lookUp(db, findCodes);
  const shared = shareDocuments({
    fetch:
      fetch ??
      ((kind, eventId, waitUntil) =>
        answerDocument({ db, log, gate }, { kind, eventId }, waitUntil)),
    findOwner: (eventId, waiting) => findOwner(STRANGERS, eventId, waiting),
    now,
  });
  return {
    rankings: createDocuments('ranking', readRanking, shared),
    names: createDocuments('names', readNames, shared),
    courses: createDocuments('course', readCourse, shared),
    findDetails: lookUp(db, findDetails),
    findCode: (code, waiting) => findCode(STRANGERS, code, waiting),
    turns: createTurns({ total: 1, leaseMs: TURN_MAX_MS }),
  };
}

/** The owner of the shared look-ups for boards that may be closed. */
const STRANGERS = '';

const lookUp = <V>(
  db: Database,
  find: (values: { keys: string }) => Statement<{ key: string; value: V }[]>,
): LookUp<V> =>
  createLookUp(async (keys) => {
    const [rows] = await transact(db, [find({ keys: `{${keys.join()}}` })]);
    return new Map(rows.map(({ key, value }) => [key, value]));
  });

/** The shortest time between two readings of a ranking, and the further time for each runner. */
const FRESH_MIN_MS = 2_000;
const FRESH_MS_PER_RUNNER = 0.1;
/** How many times as long a document is served. */
const LIFE = { ranking: 1, names: 4, course: 1 } satisfies Record<Kind, number>;
/** The time until the next reading of an event that is too large. */
const TOO_LARGE_SECONDS = 60;

/** How long a ranking is served: 2 s, or 1 s for each 10 000 runners. */
const freshMs = (runners: number): number =>
  Math.max(FRESH_MIN_MS, Math.ceil(runners * FRESH_MS_PER_RUNNER));

const SELECT = { ranking: selectRanking, names: selectNames, course: selectCourse };

/** Answers with a document from the database. The cache keeps the document as long as each isolate does. */
export async function answerDocument(
  { db, log, gate }: Reading,
  { kind, eventId }: { kind: Kind; eventId: string },
  waitUntil: Waiting['waitUntil'],
): Promise<Response> {
  const startedAt = Date.now();
  function answer(status: number, maxAge: number | undefined, text: string | null = null) {
    log.info({ level: 'info', route: `/${kind}`, status, ms: Date.now() - startedAt, trips: 1 });
    const headers =
      maxAge === undefined
        ? { 'Cache-Control': 'private, no-store' }
        : { 'Cache-Control': `public, max-age=${maxAge}`, 'Cache-Tag': eventId };
    return new Response(text, { status, headers });
  }
  try {
    const select = following([plannedForEvent()], SELECT[kind]({ eventId }));
    const [[row]] = await transact(db, [select]);
    if (!row) return answer(404, undefined);
    if (row.beside) waitUntil(keepResults({ db, log, gate }, eventId, row.beside));
    if (row.document === null) return answer(413, TOO_LARGE_SECONDS);
    const maxAge = Math.floor((LIFE[kind] * freshMs(row.runners)) / 1_000);
    return answer(200, maxAge, row.document);
  } catch (error) {
    log.error('A board was not read', error);
    return answer(503, undefined);
  }
}

/** No request from outside has such an address: the default entrypoint passes on `/board/…` alone. */
const DOCUMENT = /^https:\/\/board\/([^/]+)\/([^?]+)/;

/**
 * The address of a document, at the entrypoint Board.
 * @param version of the Worker. Versions share the cache, and each has a form of the documents.
 */
export const documentAddress = (kind: Kind, eventId: string, version: string): string =>
  `https://board/${kind}/${eventId}?version=${version}`;

export function documentAt({ url }: Request): { kind: Kind; eventId: string } | undefined {
  const [, name, eventId] = DOCUMENT.exec(url) ?? [];
  const kind = KINDS.find((one) => one === name);
  return kind && eventId !== undefined ? { kind, eventId } : undefined;
}
