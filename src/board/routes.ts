import type { BatchResponse } from 'drizzle-orm/batch';
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { type Query, transact } from '../db/client.ts';
import { ApiError } from '../errors.ts';
import type { AppEnv } from '../http/context.ts';
import { entityTag, type KnownVersions, knownVersions } from '../http/etag.ts';
import { toResult, toSnapshot } from './board.ts';
import { PAGE, PAGE_HEADERS } from './page.ts';
import {
  asOfOneMoment,
  countResults,
  findBoard,
  findResult,
  listRunners,
  withoutCompiling,
} from './queries.ts';

/** How long a cache may keep what; edge.ts says what that comes to. */
const SNAPSHOT_KEPT = 'public, max-age=2, stale-if-error=86400';
const KEPT = 'public, max-age=10, stale-if-error=86400';
/** A cache that waits longer for something newer serves what it has. */
const ANSWER_BUDGET_MS = 5_000;

/** As toBoardRequest writes an id. */
const EVENT_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const BIB_MAX = 40;

/** Whatever is not there is told in the same words and kept as long, whyever it is not there. */
const nothingLikeAnother = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  c.header('X-Robots-Tag', 'noindex');
  c.header('X-Content-Type-Options', 'nosniff');
  if (c.res.status === 404) c.header('Cache-Control', KEPT);
});

/** The live board of an event: there for everybody once its organization has switched it on. */
export const boardRoutes = new Hono<AppEnv>()
  .use(nothingLikeAnother)
  .get('/:event_id', async (c) => {
    const eventId = c.req.param('event_id');
    if (!EVENT_ID.test(eventId)) return c.notFound();
    const [[board]] = await ask(c, [findBoard(c.var.services.db, eventId)]);
    if (!board) return c.notFound();
    return c.html(PAGE, 200, { ...PAGE_HEADERS, 'Cache-Control': KEPT });
  })
  .get('/:event_id/data', async (c) => {
    const eventId = c.req.param('event_id');
    if (!EVENT_ID.test(eventId)) return c.notFound();
    const { db } = c.var.services;
    const known = knownVersions(c.req.header('If-None-Match'));
    const [, , [board], [counts], shown] = await ask(c, [
      asOfOneMoment(db),
      withoutCompiling(db),
      findBoard(db, eventId),
      countResults(db, eventId, known),
      listRunners(db, eventId, known),
    ]);
    if (!board || !counts) return c.notFound();
    keep(c, SNAPSHOT_KEPT, board.version);
    if (isKnown(known, board.version)) return c.body(null, 304);
    c.var.facts.rows = shown.length;
    return c.json(toSnapshot(board, counts, shown));
  })
  .get('/:event_id/bibs/:bib', async (c) => {
    const { event_id: eventId, bib } = c.req.param();
    // A bib has no such characters, and Postgres takes none that is NUL.
    if (!EVENT_ID.test(eventId) || bib.length > BIB_MAX || bib.includes('\0')) return c.notFound();
    const { db } = c.var.services;
    const known = knownVersions(c.req.header('If-None-Match'));
    const [, [board], [result]] = await ask(c, [
      asOfOneMoment(db),
      findBoard(db, eventId),
      findResult(db, eventId, bib, known),
    ]);
    if (!board) return c.notFound();
    if (!result && !isKnown(known, board.version)) return c.notFound();
    keep(c, KEPT, board.version);
    if (!result) return c.body(null, 304);
    c.var.facts.rows = 1;
    return c.json(toResult(result));
  });

function keep(c: Context<AppEnv>, kept: string, version: number): void {
  c.header('Cache-Control', kept);
  c.header('ETag', entityTag(version));
}

const isKnown = ({ any, versions }: KnownVersions, version: number) =>
  any || versions.includes(version);

/** @throws ApiError SERVICE_UNAVAILABLE, in time for a cache to serve what it has */
async function ask<const T extends readonly [Query, ...Query[]]>(
  c: Context<AppEnv>,
  queries: T,
): Promise<BatchResponse<T>> {
  c.var.facts.trips += 1;
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const detail = 'The database takes too long. Try again.';
    reject(new ApiError('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds: 2 }));
  }, ANSWER_BUDGET_MS);
  try {
    return await Promise.race([transact(c.var.services.db, queries), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
