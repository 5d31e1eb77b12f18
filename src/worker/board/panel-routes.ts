import type { Context } from 'hono';
import * as z from 'zod/mini';
import { requireManager } from '../auth/panel/require-manager.ts';
import { findManagedEvent } from '../events/panel-queries.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../http/pagination.ts';
import { EventPath, eventNotFound, oneText, runnerNotFound } from '../http/validation.ts';
import { later } from '../later.ts';
import { hideName, listHiddenNames, showName } from './hidden-names.ts';

/** A value that cannot be a bib becomes '', which no runner has, so the answer is 404. */
const RunnerPath = later(() => z.extend(EventPath(), { bib_number: z.catch(oneText(), '') }));

/** The runners whose names the board of an event never shows, from the organization's panel. */
export const hiddenNameRoutes = new Hono<AppEnv>()

  .get(
    '/',
    requireManager('listHiddenNames', {
      weight: 'light',
      param: EventPath,
      query: PageQuery,
      statements: ({ param: { event_id: eventId }, query }) => [
        listHiddenNames({ eventId, ...limits(query) }),
      ],
      answer: ([pages], { c, query }) => answerPage(c, pages, query, rowsOf),
    }),
  )

  .put(
    '/:bib_number',
    requireManager('hideName', {
      weight: 'light',
      param: RunnerPath,
      statements: ({ param: { event_id: eventId, bib_number: bib } }) => [
        findManagedEvent({ eventId }),
        hideName({ eventId, bib }),
      ],
      answer: ([[event], [runner]], { c, param }) => answerChange(c, param.event_id, event, runner),
    }),
  )

  .delete(
    '/:bib_number',
    requireManager('showName', {
      weight: 'light',
      param: RunnerPath,
      statements: ({ param: { event_id: eventId, bib_number: bib } }) => [
        findManagedEvent({ eventId }),
        showName({ eventId, bib }),
      ],
      answer: ([[event], [runner]], { c, param }) => answerChange(c, param.event_id, event, runner),
    }),
  );

/** @throws ApiError NOT_FOUND if the event or the runner is not there */
function answerChange(
  c: Context<AppEnv>,
  eventId: string,
  event: object | undefined,
  runner: object | undefined,
) {
  if (!event) throw eventNotFound();
  if (!runner) throw runnerNotFound();
  c.executionCtx.waitUntil(c.get('services').purgeBoard(eventId));
  return c.body(null, 204);
}
