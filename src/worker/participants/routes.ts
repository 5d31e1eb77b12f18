import { requireScope } from '../auth/api-key/require-scope.ts';
import { ApiError } from '../errors.ts';
import { findEvent } from '../events/queries.ts';
import type { AppEnv } from '../http/context.ts';
import { copying, orCopy } from '../http/copy.ts';
import { exporting } from '../http/export.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, rowsOf } from '../http/pagination.ts';
import { EventPath, eventNotFound } from '../http/validation.ts';
import { participantCopy } from './copy.ts';
import { exportParticipants, participantsFile } from './export.ts';
import { toParticipantLookup } from './participant.ts';
import { findPaid, findRegistration, listMatches, listPaid } from './queries.ts';
import {
  LookupQuery,
  ParticipantExportQuery,
  ParticipantPath,
  ParticipantQuery,
} from './schemas.ts';
import { startList, startListCopy } from './start-list.ts';

/** Rows up to here are read in a few milliseconds, whatever the size of the event. */
const NEAR_MAX = 1_000;

export const participantRoutes = new Hono<AppEnv>()

  .get(
    '/',
    requireScope('listEventParticipants', 'participants:read', {
      // A filter reads all registrations of the event, and a far page all registrations before the page.
      weight: ({ query: { page, page_size, distance, category, kit_status } }) =>
        page * page_size > NEAR_MAX || (distance ?? category ?? kit_status) !== undefined
          ? 'heavy'
          : 'light',
      param: EventPath,
      query: ParticipantQuery,
      statements: ({ param: { event_id: eventId }, query }) => {
        const { after, distance, category, kit_status } = query;
        return [
          listPaid({ eventId, after, distance, category, kit_status, ...limits(query) }),
          ...(after === undefined ? [] : [findRegistration({ eventId, id: after })]),
        ];
      },
      answer: ([pages, start], { c, query }) => {
        if (pages.length > 0 && start?.length === 0) throw afterNotFound();
        return answerPage(c, pages, query, rowsOf);
      },
    }),
  )

  .get(
    '/lookup',
    requireScope('lookupEventParticipants', 'participants:read', {
      weight: 'light',
      param: EventPath,
      query: LookupQuery,
      statements: ({ param: { event_id: eventId }, query: { bib, chip, document, ...page } }) => [
        listMatches({ eventId, bib, chip, document, ...limits(page) }),
      ],
      answer: ([pages], { c, query }) =>
        answerPage(c, pages, query, ({ rows }) => rows.map(toParticipantLookup)),
    }),
  )

  .get(
    '/export',
    orCopy(
      requireScope(
        'exportEventParticipants',
        'participants:read',
        exporting({
          query: ParticipantExportQuery,
          event: findEvent,
          rows: exportParticipants,
          file: participantsFile,
        }),
      ),
      requireScope('exportEventParticipants', 'participants:read', copying(participantCopy)),
    ),
  )

  .get(
    '/:inscription_id',
    requireScope('getEventParticipant', 'participants:read', {
      weight: 'light',
      param: ParticipantPath,
      statements: ({ param: { event_id: eventId, inscription_id: id } }) => [
        findEvent({ eventId }),
        findPaid({ eventId, id }),
      ],
      answer: ([[event], [row]], { c }) => {
        if (!event) throw eventNotFound();
        if (!row) throw participantNotFound();
        c.get('logFields').rows = 1;
        return c.json(row);
      },
    }),
  );

/** The runners who may start, for timing companies: bibs, chips and names. */
export const startListRoutes = new Hono<AppEnv>().get(
  '/',
  orCopy(
    requireScope('exportEventStartList', 'inscriptions:read', exporting(startList)),
    requireScope('exportEventStartList', 'inscriptions:read', copying(startListCopy)),
  ),
);

export const afterNotFound = () =>
  new ApiError(
    'NOT_FOUND',
    'after: this event has no such registration. If it was deleted, read the list from its start.',
  );

export const participantNotFound = () =>
  new ApiError('NOT_FOUND', 'This event has no participant with this inscription_id.');
