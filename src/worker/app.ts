import { requestId } from 'hono/request-id';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { forOtherSites } from './board/open-routes.ts';
import { hiddenDistanceRoutes, hiddenNameRoutes } from './board/panel-routes.ts';
import { boardCodeRoutes, boardRoutes } from './board/routes.ts';
import { coursePairs } from './course/routes.ts';
import { organizationEventRoutes } from './events/panel-routes.ts';
import { eventRoutes } from './events/routes.ts';
import { healthRoutes } from './health/routes.ts';
import type { AppEnv } from './http/context.ts';
import { handleError } from './http/error-handler.ts';
import { Hono } from './http/hono.ts';
import {
  countUse,
  drainBody,
  limitMissingBoards,
  limitMissingCodes,
  REQUEST_ID_MAX,
  rateLimitHeaders,
  requestLog,
  safeHeaders,
} from './http/middleware.ts';
import { polled } from './http/revalidation.ts';
import { unknownPath } from './http/unknown-path.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { participantRoutes, startListRoutes } from './participants/routes.ts';
import { passingPairs, passingRoutes } from './passings/routes.ts';
import { rankingRoutes } from './ranking/routes.ts';
import { networkOf } from './rate-limit/refusals.ts';
import { batchPairs } from './results/batches/routes.ts';
import {
  officialPairs,
  organizationOfficialRoutes,
  publicKeyRoutes,
} from './results/official/routes.ts';
import { routesOfPairs } from './results/pair.ts';
import { organizationResultRoutes } from './results/panel-routes.ts';
import { missingResultRoutes, resultReadRoutes } from './results/read/routes.ts';
import { filePairs, resultUploadRoutes } from './results/upload/routes.ts';
import type { Services } from './services.ts';
import { statsRoutes } from './stats/routes.ts';

/** The operations of both keys and the panel. */
export const PAIRS = [
  ...officialPairs,
  ...filePairs,
  ...batchPairs,
  ...passingPairs,
  ...coursePairs,
];

/** Every route of the API. */
export const routes = new Hono<AppEnv>()
  .use('/public/v1/*', polled)
  .route('/public/v1/events/:event_id', routesOfPairs(PAIRS, 'key'))
  .route('/api/v1/organizations/:organization_id/events/:event_id', routesOfPairs(PAIRS, 'member'))
  .route('/public/v1/events', eventRoutes)
  .route('/public/v1/events/:event_id/participants', participantRoutes)
  .route('/public/v1/events/:event_id/start-list', startListRoutes)
  .route('/public/v1/events/:event_id/stats', statsRoutes)
  .route('/public/v1/events/:event_id/passings', passingRoutes)
  .route('/public/v1/events/:event_id/results', resultUploadRoutes)
  .route('/public/v1/events/:event_id/results', resultReadRoutes)
  .route('/public/v1/events/:event_id/missing-results', missingResultRoutes)
  .route('/api/v1/organizations/:organization_id', organizationRoutes)
  .route('/api/v1/organizations/:organization_id/events', organizationEventRoutes)
  .route('/api/v1/organizations/:organization_id/events/:event_id', rankingRoutes)
  .route(
    '/api/v1/organizations/:organization_id/events/:event_id/results/official',
    organizationOfficialRoutes,
  )
  .route('/api/v1/organizations/:organization_id/events/:event_id', organizationResultRoutes)
  .route('/api/v1/organizations/:organization_id/events/:event_id/hidden-names', hiddenNameRoutes)
  .route(
    '/api/v1/organizations/:organization_id/events/:event_id/hidden-distances',
    hiddenDistanceRoutes,
  )
  .route('/api/v1/organizations/:organization_id/api-keys', apiKeyRoutes)
  .route('/board', boardRoutes)
  .route('/b', boardCodeRoutes)
  .route('/', healthRoutes)
  .route('/.well-known', publicKeyRoutes);

/** The whole API: middleware for every request, then the routes. */
export function createApp(services: Services) {
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set('services', services);
      c.set('network', networkOf(c.req.raw) ?? 'unknown');
      await next();
    })
    .use(requestId({ limitLength: REQUEST_ID_MAX }))
    .use(requestLog)
    .use(safeHeaders)
    .use(drainBody)
    .use('/board/v1/*', forOtherSites)
    .use('/board/*', limitMissingBoards)
    .use('/b/*', limitMissingCodes)
    .use('/public/v1/*', rateLimitHeaders)
    .use('/public/v1/*', countUse)
    .route('/', routes)
    .onError(handleError);
  return app.notFound(unknownPath(app));
}
