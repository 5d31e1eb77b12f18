import { requireManager } from '../auth/panel/require-manager.ts';
import { notCompiled } from '../db/planned.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, PageQuery } from '../http/pagination.ts';
import { polled } from '../http/revalidation.ts';
import { EventPath, eventNotFound } from '../http/validation.ts';
import { changing } from './changing.ts';
import { toEvent } from './event.ts';
import {
  findManagedEvent,
  findOrganizationEvent,
  listOrganizationEvents,
  makeSettings,
  updateEventBoard,
} from './panel-queries.ts';
import { EventBoardIn } from './panel-schemas.ts';

/** The organization's events and the switches of their live boards, for the panel. */
export const organizationEventRoutes = new Hono<AppEnv>()

  .get(
    '/',
    requireManager('listOrganizationEvents', {
      weight: 'light',
      query: PageQuery,
      statements: ({ query }) => [notCompiled(), listOrganizationEvents(limits(query))],
      answer: ([, pages], { c, query }) => {
        const now = c.get('services').now();
        return answerPage(c, pages, query, ({ rows }) => rows.map((row) => toEvent(row, now)));
      },
    }),
  )

  .get(
    '/:event_id',
    polled,
    requireManager('getOrganizationEvent', {
      weight: 'light',
      param: EventPath,
      statements: ({ param: { event_id: eventId } }) => [
        notCompiled(),
        findOrganizationEvent({ eventId }),
      ],
      answer: ([, [event]], { c }) => {
        if (!event) throw eventNotFound();
        return c.json(toEvent(event, c.get('services').now()));
      },
    }),
  )

  .patch(
    '/:event_id/board',
    requireManager(
      'updateEventBoard',
      changing({
        weight: 'light',
        param: EventPath,
        body: EventBoardIn,
        statements: ({ param: { event_id: eventId }, body }) => [
          findManagedEvent({ eventId }),
          notCompiled(),
          makeSettings({ eventId }),
          updateEventBoard({ ...body, eventId }),
          findOrganizationEvent({ eventId }),
        ],
        write([, , , , [event]], { c, body }) {
          if (!event) throw eventNotFound();
          return { answer: c.json(toEvent(event, c.get('services').now())), logged: body };
        },
      }),
    ),
  );
