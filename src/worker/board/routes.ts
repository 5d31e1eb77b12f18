import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { type Answers, transact } from '../db/client.ts';
import type { Statement } from '../db/statement.ts';
import { unavailable } from '../errors.ts';
import type { AppEnv } from '../http/context.ts';
import { inTime } from '../http/in-time.ts';
import { revalidated } from '../http/revalidation.ts';
import { toList, toResult, toSnapshot } from './board.ts';
import { PAGE, PAGE_HEADERS } from './page.ts';
import {
  asOfOneMoment,
  findBoard,
  findRunner,
  listPage,
  listRaces,
  plannedForAnEvent,
} from './queries.ts';
import { BoardListQuery, PAGE_SIZE } from './schemas.ts';

/** How long a cache may keep answers. edge.ts shows the load that follows. */
const SNAPSHOT_KEPT = 'public, max-age=2, stale-if-error=86400';
const KEPT = 'public, max-age=10, stale-if-error=86400';
/** After this time the answer is 503, and the cache serves its last good answer. */
const ANSWER_BUDGET_MS = 5_000;

/** The form that toBoardRequest gives to an id. */
const EVENT_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const BIB_MAX = 40;

/** Every 404 has the same body and cache time, so it reveals nothing about the cause. */
const uniformNotFound = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  c.header('X-Robots-Tag', 'noindex');
  c.header('X-Content-Type-Options', 'nosniff');
  if (c.res.status === 404) c.header('Cache-Control', KEPT);
});

/** The live board of an event. It is public once the organization has enabled it. */
export const boardRoutes = new Hono<AppEnv>()
  .use(uniformNotFound)
  .get('/:event_id', async (c) => {
    const eventId = c.req.param('event_id');
    if (!EVENT_ID.test(eventId)) return c.notFound();
    const [[board]] = await runInTime(c, [findBoard({ eventId })]);
    if (!board) return c.notFound();
    return c.html(PAGE, 200, { ...PAGE_HEADERS, 'Cache-Control': KEPT });
  })
  .get('/:event_id/data', revalidated(SNAPSHOT_KEPT), async (c) => {
    const eventId = c.req.param('event_id');
    if (!EVENT_ID.test(eventId)) return c.notFound();
    const [, , [board], [read]] = await runInTime(c, [
      asOfOneMoment({}),
      plannedForAnEvent({}),
      findBoard({ eventId }),
      listRaces({ eventId }),
    ]);
    if (!board || !read) return c.notFound();
    c.var.logFields.rows = read.listed.length;
    return c.json(toSnapshot(board, read.races, read.listed));
  })
  .get('/:event_id/results', revalidated(KEPT), async (c) => {
    const eventId = c.req.param('event_id');
    const query = BoardListQuery.safeParse(c.req.query());
    if (!EVENT_ID.test(eventId) || !query.success) return c.notFound();
    if (Object.values(query.data).some((value) => hasNul(value))) return c.notFound();
    const { page, ...filters } = query.data;
    const [, [read]] = await runInTime(c, [
      plannedForAnEvent({}),
      listPage({ eventId, ...filters, offset: (page - 1) * PAGE_SIZE }),
    ]);
    if (!read) return c.notFound();
    c.var.logFields.rows = read.rows.length;
    return c.json(toList(read, page));
  })
  .get('/:event_id/bibs/:bib', revalidated(KEPT), async (c) => {
    const { event_id: eventId, bib } = c.req.param();
    if (!EVENT_ID.test(eventId) || bib.length > BIB_MAX || hasNul(bib)) return c.notFound();
    const [, [found]] = await runInTime(c, [plannedForAnEvent({}), findRunner({ eventId, bib })]);
    if (!found) return c.notFound();
    c.var.logFields.rows = 1;
    return c.json(toResult(found));
  });

/** Postgres cannot hold NUL. */
const hasNul = (value: string | number | undefined): boolean => String(value).includes('\0');

/** Runs the statements in one trip. @throws ApiError SERVICE_UNAVAILABLE after ANSWER_BUDGET_MS */
function runInTime<const S extends readonly [Statement, ...Statement[]]>(
  c: Context<AppEnv>,
  statements: S,
): Promise<Answers<S>> {
  c.var.logFields.trips += 1;
  return inTime(transact(c.var.services.db, statements), ANSWER_BUDGET_MS, () =>
    unavailable('The database takes too long. Try again.', 2),
  );
}
