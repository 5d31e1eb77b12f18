import { Hono } from 'hono';
import { type CallerEnv, scope } from '../caller/caller.ts';
import { findEvent } from '../events/queries.ts';
import { PageQuery, pageOf } from '../http/pagination.ts';
import { eventNotFound, eventPath, query } from '../http/validation.ts';
import { toParticipant, toParticipantLookup } from './participant.ts';
import {
  countRegistrations,
  listRegistrations,
  paidRegistrations,
  registrationsLike,
} from './queries.ts';
import { LookupQuery } from './schemas.ts';

export const participantRoutes = new Hono<CallerEnv>()

  .get('/', scope('participants:read'), query(PageQuery), eventPath, async (c) => {
    const { caller, facts } = c.var;
    const { event_id } = c.req.valid('param');
    const page = c.req.valid('query');
    const paid = paidRegistrations(caller, event_id);
    const [events, counted, rows] = await caller.ask(
      findEvent(caller, event_id),
      countRegistrations(caller, paid),
      listRegistrations(caller, paid, page),
    );
    if (events.length === 0) throw eventNotFound();
    facts.rows = rows.length;
    return c.json(pageOf(rows.map(toParticipant), counted, page));
  })

  .get('/lookup', scope('participants:read'), query(LookupQuery), eventPath, async (c) => {
    const { caller, facts } = c.var;
    const { event_id } = c.req.valid('param');
    const lookup = c.req.valid('query');
    const alike = registrationsLike(caller, event_id, lookup);
    const [events, counted, rows] = await caller.ask(
      findEvent(caller, event_id),
      countRegistrations(caller, alike),
      listRegistrations(caller, alike, lookup),
    );
    if (events.length === 0) throw eventNotFound();
    facts.rows = rows.length;
    return c.json(pageOf(rows.map(toParticipantLookup), counted, lookup));
  });
