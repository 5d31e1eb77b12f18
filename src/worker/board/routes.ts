import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { ApiError } from '../errors.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { fetchPage } from '../http/pages.ts';
import { withETag } from '../http/revalidation.ts';
import type { BoardResult } from './answer-schemas.ts';
import { toList } from './list.ts';
import { fillPage } from './page.ts';
import { type Ranking, type Row, rowOfBib, type Unnamed } from './ranking.ts';
import { toResult } from './runner.ts';
import { BIB_MAX, BoardListQuery } from './schemas.ts';
import { findSnapshot } from './snapshot.ts';
import type { Waiting } from './waiting.ts';

/**
 * How long a cache may serve an answer that has expired: while it gets the next one, so that nobody waits, and
 * if that fails.
 */
const STALE = 'stale-while-revalidate=10, stale-if-error=86400';
/** How long a cache may keep a 404 or a redirect. */
const KEPT = 'public, max-age=10, stale-if-error=86400';

/** The same for a board that is off, for one that never was, and for an unknown bib. */
const noBoard = () => new ApiError('NOT_FOUND', 'No open board has this address.');

/** The form that toBoardRequest gives to an id. */
const EVENT_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

type BoardEnv = AppEnv & { Variables: { freshSeconds?: number } };

/**
 * A cache may keep an answer until the board is read again. Every 404 has the same body and cache time, so
 * it reveals nothing about the cause.
 */
const cached = createMiddleware<BoardEnv>(async (c, next) => {
  // Between two turns the isolate serves everything else: an upload beside many requests for boards waits
  // for a few of them, not for all. A timer fires after the events that came in meanwhile.
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  await c.var.services.boards.turns(waitingOf(c), turn);
  await next();
  c.header('X-Robots-Tag', 'noindex');
  if (c.res.status === 404 || c.res.status === 302) c.header('Cache-Control', KEPT);
  else if (c.var.freshSeconds !== undefined && (c.res.ok || c.res.status === 304)) {
    c.header('Cache-Control', `public, max-age=${c.var.freshSeconds}, ${STALE}`);
    c.header('Cache-Tag', c.req.param('event_id') ?? '');
  }
});

/** The live board of an event. It is public once the organization has enabled it. */
export const boardRoutes = new Hono<BoardEnv>()
  .use(cached)
  // The address for a poster.
  .get('/:short_id{[0-9a-f]{8}}', async (c) => {
    const shortId = c.req.param('short_id');
    const found = await c.var.services.boards.findOpen([shortId], waitingOf(c));
    if (!found.has(shortId)) throw noBoard();
    return c.redirect(`/board/${found.get(shortId)}`);
  })
  .get('/:event_id', async (c) => {
    const ranking = await findRanking(c);
    const snapshot = await named(c, ranking, findSnapshot(ranking));
    const first = {
      at: c.var.services.now().getTime(),
      version: await versionOf(JSON.stringify(snapshot)),
      snapshot,
      runner: await findRunner(c, ranking, c.req.query('bib') ?? ''),
    };
    // A static file of its own address would answer for events without a board too.
    const { body, headers } = await fetchPage(c.env, c.req.raw, 'board');
    const filled = fillPage(new Response(body), first);
    return c.newResponse(filled.body, { headers: Object.fromEntries(headers) });
  })
  .get('/:event_id/data', withETag, async (c) => {
    const ranking = await findRanking(c);
    const snapshot = await named(c, ranking, findSnapshot(ranking));
    c.header('ETag', await versionOf(JSON.stringify(snapshot)));
    return c.json(snapshot);
  })
  .get('/:event_id/results', withETag, async (c) => {
    const query = BoardListQuery.safeParse(c.req.query());
    if (!query.success) throw noBoard();
    const ranking = await findRanking(c);
    return c.json(await named(c, ranking, toList(ranking, query.data)));
  })
  .get('/:event_id/bibs/:bib', withETag, async (c) => {
    const bib = c.req.param('bib');
    if (bib.length > BIB_MAX) throw noBoard();
    const runner = await findRunner(c, await findRanking(c), bib);
    if (!runner) throw noBoard();
    return c.json(runner);
  });

async function findRunner(
  c: Context<BoardEnv>,
  ranking: Ranking,
  bib: string,
): Promise<BoardResult | null> {
  const row = rowOfBib(ranking, bib);
  if (!row) return null;
  const details = await findDetails(c, row.status === null ? [] : [row]);
  return toResult(ranking, row, details.get(row.id));
}

/** @throws ApiError NOT_FOUND unless the event has an open board */
async function findRanking(c: Context<BoardEnv>): Promise<Ranking> {
  const eventId = c.req.param('event_id') ?? '';
  const { rankings } = c.var.services.boards;
  const current = EVENT_ID.test(eventId) ? await rankings(eventId, waitingOf(c)) : undefined;
  if (!current) throw noBoard();
  c.set('freshSeconds', current.freshSeconds);
  return current.ranking;
}

function findDetails(c: Context<BoardEnv>, rows: readonly Row[]) {
  c.var.logFields.rows = rows.length;
  const ids = rows.map(({ id }) => id);
  return c.var.services.boards.findDetails(ids, waitingOf(c));
}

/** The ETag of the data, which the page has too: its first request may be answered with 304. */
async function versionOf(body: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(body));
  return `"${Buffer.from(digest).toString('hex')}"`;
}

/** Fills in the public names that an answer lacks, if the event shows names. */
async function named<Body>(
  c: Context<BoardEnv>,
  { event }: Ranking,
  { body, runners }: Unnamed<Body>,
) {
  if (!event.shows_names) return body;
  const rows = runners.map(({ row }) => row);
  const details = await findDetails(c, rows);
  // The snapshot of a ranking is kept with its names.
  for (const { runner, row } of runners.splice(0)) runner.name = details.get(row.id)?.name ?? null;
  return body;
}

const waitingOf = (c: Context<BoardEnv>): Waiting => ({
  waitUntil: (work) => c.executionCtx.waitUntil(work),
  logFields: c.var.logFields,
});
