import { requireScope } from '../auth/api-key/require-scope.ts';
import { findEvent } from '../events/queries.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { EventPath, eventNotFound } from '../http/validation.ts';
import { countBuckets, countPersons } from './queries.ts';
import { toEventStats } from './stats.ts';

export const statsRoutes = new Hono<AppEnv>().get(
  '/',
  requireScope('getEventStats', 'stats:read', {
    weight: 'heavy',
    param: EventPath,
    statements: ({ param: { event_id: eventId } }) => [
      findEvent({ eventId }),
      countBuckets({ eventId }),
      countPersons({ eventId }),
    ],
    answer: ([[event], buckets, [persons]], { c }) => {
      if (!event) throw eventNotFound();
      const stats = toEventStats(event.id, buckets, persons?.total ?? 0);
      c.get('logFields').rows = stats.total_inscriptions;
      return c.json(stats);
    },
  }),
);
