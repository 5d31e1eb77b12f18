import { requireScope } from '../auth/api-key/require-scope.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, PageQuery } from '../http/pagination.ts';
import { EventPath, eventNotFound } from '../http/validation.ts';
import { toEvent } from './event.ts';
import { findEvent, listEvents } from './queries.ts';

export const eventRoutes = new Hono<AppEnv>()

  .get(
    '/',
    requireScope('listEvents', 'events:read', {
      weight: 'light',
      query: PageQuery,
      statements: ({ query }) => [listEvents(limits(query))],
      answer: ([pages], { c, query }) => {
        const now = c.get('services').now();
        return answerPage(c, pages, query, ({ rows }) => rows.map((row) => toEvent(row, now)));
      },
    }),
  )

  .get(
    '/:event_id',
    requireScope('getEvent', 'events:read', {
      weight: 'light',
      param: EventPath,
      statements: ({ param }) => [findEvent({ eventId: param.event_id })],
      answer: ([[event]], { c }) => {
        if (!event) throw eventNotFound();
        return c.json(toEvent(event, c.get('services').now()));
      },
    }),
  );
