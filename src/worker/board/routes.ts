import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { transact } from '../db/client.ts';
import { ApiError } from '../errors.ts';
import { everybodyOf } from '../gate/gate.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { fetchPage } from '../http/pages.ts';
import { withETag } from '../http/revalidation.ts';
import { inTurn, waitForTurn } from '../http/turn.ts';
import { answerVersion, readVersion } from '../results/official/routes.ts';
import { bibsIn } from './address.ts';
import type { BoardResult } from './answer-schemas.ts';
import { toFound } from './found.ts';
import { toList } from './list.ts';
import { NO_NAMES } from './names.ts';
import { fillPage } from './page.ts';
import { type Ranking, rowOfBib, type Shown } from './ranking.ts';
import { toResult } from './runner.ts';
import { BIB_MAX, BoardListQuery, WANTED_MAX } from './schemas.ts';
import { findSnapshot } from './snapshot.ts';
import { inTurnOf, type Waiting } from './waiting.ts';

/**
 * How long a cache may serve an answer that has expired: while it gets the next one, so that nobody waits, and
 * if that fails.
 */
const STALE_IF_ERROR = 'stale-if-error=86400';
const STALE = `stale-while-revalidate=10, ${STALE_IF_ERROR}`;
/** How long a cache may keep a refusal. */
const KEPT = `public, max-age=4, ${STALE_IF_ERROR}`;
const VERSION_FRESH_SECONDS = 60;

/** Answers that are the same until the board changes. */
const REFUSED = [404, 413];

/** The same for a board that is off, for one that never was, and for an unknown bib. */
const noBoard = () => new ApiError('NOT_FOUND', 'No open board has this address.');

/** The form that toBoardRequest gives to an id. */
const EVENT_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * A cache may keep an answer until the board is read again. Every 404 has the same body and cache time, so
 * it reveals nothing about the cause.
 */
const cached = createMiddleware<AppEnv>(async (c, next) => {
  // Between two turns the isolate serves everything else: an upload beside many requests for boards waits
  // for a few of them, not for all. A timer fires after the events that came in meanwhile.
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  await inTurnOf(c.get('services').boards.turns, '', waitingOf(c), turn);
  await next();
  c.header('X-Robots-Tag', 'noindex');
  if (REFUSED.includes(c.res.status)) c.header('Cache-Control', KEPT);
  else if (c.get('freshSeconds') !== undefined && (c.res.ok || c.res.status === 304)) {
    // A runner's card is asked again when the board has changed: an old one would contradict it.
    const stale = c.req.param('bib') === undefined ? STALE : STALE_IF_ERROR;
    c.header('Cache-Control', `public, max-age=${c.get('freshSeconds')}, ${stale}`);
    c.header('Cache-Tag', c.req.param('event_id') ?? '');
  }
});

/** The live board of an event. It is public once the organization has enabled it. */
export const boardRoutes = new Hono<AppEnv>()
  .use(cached)
  .get('/:event_id', async (c) => {
    const shown = await findShown(c);
    const snapshot = findSnapshot(shown);
    const first = {
      at: c.get('services').now().getTime(),
      version: await versionOf(JSON.stringify(snapshot)),
      snapshot,
      runners: await Promise.all(
        bibsIn(c.req.query('bib') ?? '').map((bib) => findRunner(c, shown, bib)),
      ),
    };
    // A static file of its own address would answer for events without a board too.
    const { body, headers } = await fetchPage(c.env, c.req.raw, 'board');
    const filled = fillPage(new Response(body), c.req.url, first);
    return c.newResponse(filled.body, { headers: Object.fromEntries(headers) });
  })
  .get('/:event_id/data', withETag, async (c) => {
    const snapshot = findSnapshot(await findShown(c));
    c.header('ETag', await versionOf(JSON.stringify(snapshot)));
    return c.json(snapshot);
  })
  .get('/:event_id/results', withETag, async (c) => {
    const query = BoardListQuery.safeParse(c.req.query());
    if (!query.success) throw noBoard();
    return c.json(toList(await findShown(c), query.data));
  })
  .get('/:event_id/find', withETag, async (c) => {
    const wanted = c.req.query('q') ?? '';
    if (wanted.length > WANTED_MAX) throw noBoard();
    return c.json(toFound(await findShown(c), wanted));
  })
  .get('/:event_id/official/:version', async (c) => {
    const { value, owner } = await findRanking(c);
    const version = Number(c.req.param('version'));
    if (!(version <= (value.official?.version ?? 0))) throw noBoard();
    c.get('logFields').trips += 1;
    const param = { event_id: c.req.param('event_id'), version };
    const turn = await waitForTurn(c, 'heavy', { sender: everybodyOf(owner) });
    return inTurn(c, turn, async () => {
      const answers = await transact(c.get('services').db, readVersion(param, 'everybody'));
      // It never changes, but the board may be switched off.
      c.set('freshSeconds', VERSION_FRESH_SECONDS);
      return answerVersion(c, answers, version);
    });
  })
  .get('/:event_id/bibs/:bib', withETag, async (c) => {
    const bib = c.req.param('bib');
    if (bib.length > BIB_MAX) throw noBoard();
    const runner = await findRunner(c, await findShown(c), bib);
    if (!runner) throw noBoard();
    return c.json(runner);
  });

async function findRunner(
  c: Context<AppEnv>,
  { owner, ...shown }: Found,
  bib: string,
): Promise<BoardResult | null> {
  const row = rowOfBib(shown.ranking, bib);
  if (!row) return null;
  // Before the first passing or result, nobody has more than a bib.
  const isBefore = shown.course.length === 0 && shown.ranking.changedMs === 0;
  const { findDetails } = c.get('services').boards;
  const details = isBefore ? undefined : await findDetails(owner, row.id, waitingOf(c));
  return toResult(shown, row, details ?? { splits: [], versions: [] });
}

/** What a board shows, and its organization. */
type Found = Shown & { owner: string };

/** @throws ApiError NOT_FOUND unless the event has an open board, or 413 for one that is too large */
async function findRanking(c: Context<AppEnv>): Promise<{ value: Ranking; owner: string }> {
  const eventId = c.req.param('event_id') ?? '';
  const { rankings } = c.get('services').boards;
  const ranking = EVENT_ID.test(eventId) ? await rankings(eventId, waitingOf(c)) : undefined;
  if (!ranking) throw noBoard();
  c.set('freshSeconds', ranking.freshSeconds);
  return ranking;
}

/** @throws ApiError as `findRanking` does */
async function findShown(c: Context<AppEnv>): Promise<Found> {
  const eventId = c.req.param('event_id') ?? '';
  const { names, courses } = c.get('services').boards;
  const { value, owner } = await findRanking(c);
  const [named, course] = await Promise.all([
    value.event.shows_names ? names(eventId, waitingOf(c)) : undefined,
    courses(eventId, waitingOf(c)),
  ]);
  return { ranking: value, names: named?.value ?? NO_NAMES, course: course?.value ?? [], owner };
}

/** The ETag of the data, which the page has too: its first request may be answered with 304. */
async function versionOf(body: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
  return `"${Buffer.from(digest).toString('hex')}"`;
}

const waitingOf = (c: Context<AppEnv>): Waiting => ({
  waitUntil: (work) => c.executionCtx.waitUntil(work),
  logFields: c.get('logFields'),
});
