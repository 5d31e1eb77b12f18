import { type CallerEnv, requireScope } from '../auth/api-key/require-scope.ts';
import { findEvent } from '../events/queries.ts';
import { Hono } from '../http/hono.ts';
import { eventNotFound, eventPath } from '../http/validation.ts';
import { countBuckets, countPersons } from './queries.ts';
import { toEventStats } from './stats.ts';

export const statsRoutes = new Hono<CallerEnv>().get(
  '/',
  requireScope('stats:read'),
  eventPath,
  async (c) => {
    const { caller, logFields } = c.var;
    const { event_id: eventId } = c.req.valid('param');
    const [[event], buckets, [persons]] = await caller.run(
      findEvent({ eventId }),
      countBuckets({ eventId }),
      countPersons({ eventId }),
    );
    if (!event) throw eventNotFound();
    const stats = toEventStats(event.id, buckets, persons?.total ?? 0);
    logFields.rows = stats.total_inscriptions;
    return c.json(stats);
  },
);
