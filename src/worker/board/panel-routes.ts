import * as z from 'zod/mini';
import { requireManager } from '../auth/panel/require-manager.ts';
import { notCompiled, plannedForEvent } from '../db/planned.ts';
import { following } from '../db/statement.ts';
import { ApiError } from '../errors.ts';
import { changing } from '../events/changing.ts';
import { findManagedEvent, makeSettings } from '../events/panel-queries.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../http/pagination.ts';
import { BibPath, EventPath, runnerNotFound } from '../http/validation.ts';
import { later } from '../later.ts';
import { hideDistance, listHiddenDistances, showDistance } from './hidden-distances.ts';
import { hideName, listHiddenNames, showName } from './hidden-names.ts';

/** Hides or shows the name of a runner. */
const settingName = (set: typeof hideName, hidesName: boolean) =>
  changing({
    weight: 'light',
    param: BibPath,
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

/** A value that no distance can be becomes '', which counts as no distance. */
const DistancePath = later(() =>
  z.extend(EventPath(), {
    distance: z.catch(z.string().check(z.refine((text) => !text.includes('\0'))), ''),
  }),
);

export const distanceNotFound = () =>
  new ApiError('NOT_FOUND', 'This event has no runner with this distance.');

/** Hides or shows the names of a distance. */
const settingDistance = (set: typeof hideDistance, hidesName: boolean) =>
  changing({
    weight: 'heavy',
    param: DistancePath,
    statements: ({ param: { event_id: eventId, distance } }) => [
      findManagedEvent({ eventId }),
      following([notCompiled(), makeSettings({ eventId })], set({ eventId, distance })),
    ],
    hidesName,
    write([, [found]], { c }) {
      if (!found) throw distanceNotFound();
      return { answer: c.json(found) };
    },
  });

/** The distances whose names the board of an event never shows, from the organization's panel. */
export const hiddenDistanceRoutes = new Hono<AppEnv>()

  .get(
    '/',
    requireManager('listHiddenDistances', {
      weight: 'heavy',
      param: EventPath,
      query: PageQuery,
      statements: ({ param: { event_id: eventId }, query }) => [
        following([plannedForEvent()], listHiddenDistances({ eventId, ...limits(query) })),
      ],
      answer: ([pages], { c, query }) => answerPage(c, pages, query, rowsOf),
    }),
  )

  .put('/:distance', requireManager('hideDistance', settingDistance(hideDistance, true)))

  .delete('/:distance', requireManager('showDistance', settingDistance(showDistance, false)));
