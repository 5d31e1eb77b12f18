import { Hono } from 'hono';
import { type CallerEnv, requireScope } from '../auth/api-key/require-scope.ts';
import { ApiError } from '../errors.ts';
import { findEvent } from '../events/queries.ts';
import { limits, pageOf } from '../http/pagination.ts';
import { eventNotFound, eventPath, query } from '../http/validation.ts';
import { toParticipant, toParticipantLookup } from './participant.ts';
import { countMatches, countPaid, findRegistration, listMatches, listPaid } from './queries.ts';
import { LookupQuery, ParticipantQuery } from './schemas.ts';

export const afterNotFound = () =>
  new ApiError(
    'NOT_FOUND',
    'after: this event has no such registration. If it was deleted, read the list from its start.',
  );

export const participantRoutes = new Hono<CallerEnv>()

  .get('/', requireScope('participants:read'), query(ParticipantQuery), eventPath, async (c) => {
    const { caller, logFields } = c.var;
    const { event_id: eventId } = c.req.valid('param');
    const page = c.req.valid('query');
    const { after } = page;
    const [events, counted, rows, [start] = []] = await caller.run(
      findEvent({ eventId }),
      countPaid({ eventId, after }),
      listPaid({ eventId, after, ...limits(page) }),
      ...(after === undefined ? [] : [findRegistration({ eventId, id: after })]),
    );
    if (events.length === 0) throw eventNotFound();
    if (after !== undefined && !start) throw afterNotFound();
    logFields.rows = rows.length;
    return c.json(pageOf(rows.map(toParticipant), counted, page));
  })

  .get('/lookup', requireScope('participants:read'), query(LookupQuery), eventPath, async (c) => {
    const { caller, logFields } = c.var;
    const { event_id: eventId } = c.req.valid('param');
    const lookup = c.req.valid('query');
    const { bib, chip, document } = lookup;
    const [events, counted, rows] = await caller.run(
      findEvent({ eventId }),
      countMatches({ eventId, bib, chip, document }),
      listMatches({ eventId, bib, chip, document, ...limits(lookup) }),
    );
    if (events.length === 0) throw eventNotFound();
    logFields.rows = rows.length;
    return c.json(pageOf(rows.map(toParticipantLookup), counted, lookup));
  });
