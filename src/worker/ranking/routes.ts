import { requireManager } from '../auth/panel/require-manager.ts';
import { notCompiled, plannedForEvent } from '../db/planned.ts';
import { following } from '../db/statement.ts';
import { changing } from '../events/changing.ts';
import { toEvent } from '../events/event.ts';
import { findManagedEvent, findOrganizationEvent, makeSettings } from '../events/panel-queries.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../http/pagination.ts';
import { EventPath, eventNotFound } from '../http/validation.ts';
import { findRanking, listEventChanges, updateRanking } from './queries.ts';
import { EventRankingIn, RankingQuery } from './schemas.ts';

/** How an event ranks, and the history of users' changes, for the organization's panel. */
export const rankingRoutes = new Hono<AppEnv>()

  .get(
    '/ranking',
    requireManager('getEventRanking', {
      weight: 'heavy',
      param: EventPath,
      query: RankingQuery,
      statements: ({ param: { event_id: eventId }, query }) => [
        following([plannedForEvent()], findRanking({ eventId, ...query })),
      ],
      answer: ([[ranking]], { c }) => {
        if (!ranking) throw eventNotFound();
        return c.json(ranking);
      },
    }),
  )

  .patch(
    '/ranking',
    requireManager(
      'updateEventRanking',
      changing({
        weight: 'light',
        param: EventPath,
        body: EventRankingIn,
        statements: ({ param: { event_id: eventId }, body }) => [
          findManagedEvent({ eventId }),
          following(
            [notCompiled(), makeSettings({ eventId }), updateRanking({ ...body, eventId })],
            findOrganizationEvent({ eventId }),
          ),
        ],
        write([, [event]], { c, body: { rule, prizes } }) {
          if (!event) throw eventNotFound();
          return {
            answer: c.json(toEvent(event, c.get('services').now())),
            logged: { rule, prizes },
          };
        },
      }),
    ),
  )

  .get(
    '/changes',
    requireManager('listEventChanges', {
      weight: 'light',
      param: EventPath,
      query: PageQuery,
      statements: ({ param: { event_id: eventId }, query }) => [
        listEventChanges({ eventId, ...limits(query) }),
      ],
      answer: ([pages], { c, query }) => answerPage(c, pages, query, rowsOf),
    }),
  );
