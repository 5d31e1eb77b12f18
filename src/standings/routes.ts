import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { type CallerEnv, scope } from '../caller/caller.ts';
import { notFound } from '../errors.ts';
import { entityTag, knownVersions, NONE_KNOWN } from '../http/etag.ts';
import { pageOf } from '../http/pagination.ts';
import { eventNotFound, eventPath, query } from '../http/validation.ts';
import { findResult, listResults, type PageRow, type ResultRow } from './queries.ts';
import { toResult } from './result.ts';
import { ResultPath, ResultQuery } from './schemas.ts';

export const standingRoutes = new Hono<CallerEnv>()

  .get('/', scope('events:read'), query(ResultQuery), eventPath, async (c) => {
    const { caller, facts } = c.var;
    const { event_id } = c.req.valid('param');
    const asked = c.req.valid('query');
    const known = knownVersions(c.req.header('If-None-Match'));
    const [{ rows }] = await caller.ask(listResults(caller, event_id, asked, known));
    const [first] = rows;
    if (!first) throw eventNotFound();
    revalidated(c, first);
    if (first.total === null) return c.body(null, 304);
    const found = rows.filter(isFound);
    facts.rows = found.length;
    const data = found.map((row) =>
      toResult(asked.distance === undefined ? { ...row, position_distance: null } : row),
    );
    return c.json(pageOf(data, [{ total: first.total }], asked));
  })

  .get('/:bib_number', scope('events:read'), zValidator('param', ResultPath), async (c) => {
    const { caller, facts } = c.var;
    const { event_id, bib_number } = c.req.valid('param');
    const known = knownVersions(c.req.header('If-None-Match'));
    // "*" is about a result that there is, so it has to be looked for.
    const [{ rows }] = await caller.ask(
      findResult(caller, event_id, bib_number, known.any ? NONE_KNOWN : known),
    );
    const [first] = rows;
    if (!first) throw eventNotFound();
    if (first.total === 0) throw notFound('A result of this bib');
    revalidated(c, first);
    if (known.any || !isFound(first)) return c.body(null, 304);
    facts.rows = 1;
    return c.json(toResult(first));
  });

/** The client may keep the answer, and asks each time whether it still holds. */
function revalidated(c: Context, { version }: PageRow): void {
  c.header('ETag', entityTag(version));
  c.header('Cache-Control', 'private, no-cache');
}

const isFound = (row: PageRow): row is PageRow & ResultRow => row.status !== null;
