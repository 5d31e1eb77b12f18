import { type MemberEnv, requireManager } from '../auth/panel/require-manager.ts';
import { Hono } from '../http/hono.ts';
import { readJson } from '../http/json-body.ts';
import { onlyKnown } from '../http/known-inputs.ts';
import { answerPage, limits, PageQuery } from '../http/pagination.ts';
import { eventNotFound, eventPath, query } from '../http/validation.ts';
import { toEvent } from './event.ts';
import {
  findOrganizationEvent,
  listOrganizationEvents,
  updateEventBoard,
} from './panel-queries.ts';
import { EventBoardIn } from './panel-schemas.ts';

/** The organization's events and the switches of their live boards, from its panel. */
export const organizationEventRoutes = new Hono<MemberEnv>()

  .get('/', requireManager, query(PageQuery), async (c) => {
    const { member, services } = c.var;
    const page = c.req.valid('query');
    const [pages] = await member.run(listOrganizationEvents(limits(page)));
    const now = services.now();
    return answerPage(c, pages, page, ({ rows }) => rows.map((row) => toEvent(row, now)));
  })

  .patch('/:event_id/board', requireManager, onlyKnown({ hasBody: true }), eventPath, async (c) => {
    const { member, services } = c.var;
    const { event_id } = c.req.valid('param');
    const switches = await readJson(c, EventBoardIn, member.userId);
    const [, [event]] = await member.run(
      updateEventBoard({ ...switches, eventId: event_id }),
      findOrganizationEvent({ eventId: event_id }),
    );
    if (!event) throw eventNotFound();
    c.executionCtx.waitUntil(services.purgeBoard(event_id));
    return c.json(toEvent(event, services.now()));
  });
