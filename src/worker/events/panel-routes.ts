import { requireManager } from '../auth/panel/require-manager.ts';
import { notCompiled } from '../db/planned.ts';
import { following } from '../db/statement.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, PageQuery } from '../http/pagination.ts';
import { polled } from '../http/revalidation.ts';
import { EventPath, eventNotFound } from '../http/validation.ts';
import { newBoardCode } from './board-code.ts';
import { changing } from './changing.ts';
import { toEvent } from './event.ts';
import {
  findManagedEvent,
  findOrganizationEvent,
  listOrganizationEvents,
  makeSettings,
  renewBoardCode,
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
      statements: ({ query }) => [
        following([notCompiled()], listOrganizationEvents(limits(query))),
      ],
      answer: ([pages], { c, query }) => {
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
        following([notCompiled()], findOrganizationEvent({ eventId })),
      ],
      answer: ([[event]], { c }) => {
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
        // A board may be switched off, and may show less of the names.
        hidesName: true,
        statements: ({ param: { event_id: eventId }, body }) => [
          findManagedEvent({ eventId }),
          following(
            [
              notCompiled(),
              makeSettings({ eventId }),
              updateEventBoard({ ...body, eventId, code: newBoardCode() }),
            ],
            findOrganizationEvent({ eventId }),
          ),
        ],
        write([, [event]], { c, body }) {
          if (!event) throw eventNotFound();
          return { answer: c.json(toEvent(event, c.get('services').now())), logged: body };
        },
      }),
    ),
  )

  .post(
    '/:event_id/board/code',
    requireManager(
      'renewBoardCode',
      changing({
        weight: 'light',
        param: EventPath,
        statements: ({ param: { event_id: eventId } }) => [
          findManagedEvent({ eventId }),
          following(
            [
              notCompiled(),
              makeSettings({ eventId }),
              renewBoardCode({ eventId, code: newBoardCode() }),
            ],
            findOrganizationEvent({ eventId }),
          ),
        ],
        write([, [event]], { c }) {
          if (!event) throw eventNotFound();
          return { answer: c.json(toEvent(event, c.get('services').now())) };
        },
      }),
    ),
  );
