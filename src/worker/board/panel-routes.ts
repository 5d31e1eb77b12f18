import * as z from 'zod/mini';
import { requireManager } from '../auth/panel/require-manager.ts';
import { changing } from '../events/changing.ts';
import { findManagedEvent } from '../events/panel-queries.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../http/pagination.ts';
import { EventPath, oneText, runnerNotFound } from '../http/validation.ts';
import { later } from '../later.ts';
import { hideName, listHiddenNames, showName } from './hidden-names.ts';

/** A value that cannot be a bib becomes '', which no runner has, so the answer is 404. */
const RunnerPath = later(() => z.extend(EventPath(), { bib_number: z.catch(oneText(), '') }));

/** Hides or shows the name of a runner. */
const settingName = (set: typeof hideName, hidesName: boolean) =>
  changing({
    weight: 'light',
    param: RunnerPath,
    statements: ({ param: { event_id: eventId, bib_number: bib } }) => [
      findManagedEvent({ eventId }),
      set({ eventId, bib }),
    ],
    hidesName,
    write([, [runner]], { c }) {
      if (!runner) throw runnerNotFound();
      return { answer: c.body(null, 204) };
    },
  });

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

  .put('/:bib_number', requireManager('hideName', settingName(hideName, true)))

  .delete('/:bib_number', requireManager('showName', settingName(showName, false)));
