import { type CallerEnv, requireScope } from '../auth/api-key/require-scope.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, PageQuery } from '../http/pagination.ts';
import { eventNotFound, eventPath, query } from '../http/validation.ts';
import { toEvent } from './event.ts';
import { findEvent, listEvents } from './queries.ts';

export const eventRoutes = new Hono<CallerEnv>()

  .get('/', requireScope('events:read'), query(PageQuery), async (c) => {
    const { caller, services } = c.var;
    const page = c.req.valid('query');
    const [pages] = await caller.run(listEvents(limits(page)));
    const now = services.now();
    return answerPage(c, pages, page, ({ rows }) => rows.map((row) => toEvent(row, now)));
  })

  .get('/:event_id', requireScope('events:read'), eventPath, async (c) => {
    const { caller, services } = c.var;
    const { event_id } = c.req.valid('param');
    const [[event]] = await caller.run(findEvent({ eventId: event_id }));
    if (!event) throw eventNotFound();
    return c.json(toEvent(event, services.now()));
  });
