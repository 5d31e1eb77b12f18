import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { boardRoutes } from './board/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { healthRoutes } from './health/routes.ts';
import type { AppEnv } from './http/context.ts';
import { handleError, handleNotFound } from './http/error-handler.ts';
import { bodyDrained, neverCached, rateLimitFields, requestLog } from './http/middleware.ts';
import { participantRoutes } from './participants/routes.ts';
import { resultRoutes } from './results/routes.ts';
import type { Services } from './services.ts';
import { standingRoutes } from './standings/routes.ts';
import { statsRoutes } from './stats/routes.ts';

/** The whole API: what every request passes through, then who answers what. */
export function createApp(services: Services) {
  return new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set('services', services);
      await next();
    })
    .use(requestId())
    .use(requestLog)
    .use(neverCached)
    .use(bodyDrained)
    .use('/public/v1/*', rateLimitFields)
    .route('/public/v1/events', eventRoutes)
    .route('/public/v1/events/:event_id/participants', participantRoutes)
    .route('/public/v1/events/:event_id/stats', statsRoutes)
    .route('/public/v1/events/:event_id/results', resultRoutes)
    .route('/public/v1/events/:event_id/results', standingRoutes)
    .route('/api/v1/organizations/:organization_id/api-keys', apiKeyRoutes)
    .route('/board', boardRoutes)
    .route('/healthz', healthRoutes)
    .notFound(handleNotFound)
    .onError(handleError);
}
