import { Hono } from 'hono';
import { type CallerEnv, scope } from '../caller/caller.ts';
import { PageQuery, pageOf } from '../http/pagination.ts';
import { eventNotFound, eventPath, query } from '../http/validation.ts';
import { toEvent } from './event.ts';
import { countEvents, findEvent, listEvents } from './queries.ts';

export const eventRoutes = new Hono<CallerEnv>()

  .get('/', scope('events:read'), query(PageQuery), async (c) => {
    const { caller, facts, services } = c.var;
    const page = c.req.valid('query');
    const [counted, rows] = await caller.ask(countEvents(caller), listEvents(caller, page));
    facts.rows = rows.length;
    const now = services.now();
    return c.json(
      pageOf(
        rows.map((row) => toEvent(row, now)),
        counted,
        page,
      ),
    );
  })

  .get('/:event_id', scope('events:read'), eventPath, async (c) => {
    const { caller, services } = c.var;
    const { event_id } = c.req.valid('param');
    const [[event]] = await caller.ask(findEvent(caller, event_id));
    if (!event) throw eventNotFound();
    return c.json(toEvent(event, services.now()));
  });
