import { zValidator } from '@hono/zod-validator';
import { type CallerEnv, requireScope } from '../auth/api-key/require-scope.ts';
import { ApiError } from '../errors.ts';
import { findEvent } from '../events/queries.ts';
import { answerExport, ownerOfKey } from '../http/export.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, rowsOf } from '../http/pagination.ts';
import { polled } from '../http/revalidation.ts';
import { eventNotFound, eventPath, query } from '../http/validation.ts';
import { exportParticipants, PARTICIPANT_FIELDS } from './export.ts';
import { toParticipantLookup } from './participant.ts';
import { findPaid, findRegistration, listMatches, listPaid } from './queries.ts';
import {
  LookupQuery,
  ParticipantExportQuery,
  ParticipantPath,
  ParticipantQuery,
} from './schemas.ts';

export const afterNotFound = () =>
  new ApiError(
    'NOT_FOUND',
    'after: this event has no such registration. If it was deleted, read the list from its start.',
  );

export const participantRoutes = new Hono<CallerEnv>()

  .get('/', requireScope('participants:read'), query(ParticipantQuery), eventPath, async (c) => {
    const { event_id: eventId } = c.req.valid('param');
    const page = c.req.valid('query');
    const { after, distance, category, kit_status } = page;
    const [pages, [start] = []] = await c.var.caller.run(
      listPaid({ eventId, after, distance, category, kit_status, ...limits(page) }),
      ...(after === undefined ? [] : [findRegistration({ eventId, id: after })]),
    );
    if (pages.length > 0 && after !== undefined && !start) throw afterNotFound();
    return answerPage(c, pages, page, rowsOf);
  })

  .get('/lookup', requireScope('participants:read'), query(LookupQuery), eventPath, async (c) => {
    const { event_id: eventId } = c.req.valid('param');
    const lookup = c.req.valid('query');
    const { bib, chip, document } = lookup;
    const [pages] = await c.var.caller.run(
      listMatches({ eventId, bib, chip, document, ...limits(lookup) }),
    );
    return answerPage(c, pages, lookup, ({ rows }) => rows.map(toParticipantLookup));
  })

  .get(
    '/export',
    polled,
    requireScope('participants:read'),
    query(ParticipantExportQuery),
    eventPath,
    (c) => {
      const { event_id: eventId } = c.req.valid('param');
      const { keyHash, run } = c.var.caller;
      return answerExport(c, {
        owner: ownerOfKey(c, keyHash),
        run,
        event: findEvent({ eventId }),
        rows: exportParticipants({ eventId, ...c.req.valid('query') }),
        fields: PARTICIPANT_FIELDS,
        toItems: (rows) => [...rows],
        what: 'participants',
      });
    },
  )

  .get(
    '/:inscription_id',
    requireScope('participants:read'),
    zValidator('param', ParticipantPath),
    async (c) => {
      const { caller, logFields } = c.var;
      const { event_id: eventId, inscription_id: id } = c.req.valid('param');
      const [events, [row]] = await caller.run(findEvent({ eventId }), findPaid({ eventId, id }));
      if (events.length === 0) throw eventNotFound();
      if (!row) throw participantNotFound();
      logFields.rows = 1;
      return c.json(row);
    },
  );

export const participantNotFound = () =>
  new ApiError('NOT_FOUND', 'This event has no participant with this inscription_id.');
