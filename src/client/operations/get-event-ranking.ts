// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { EventRankingQuery } from '../types.ts';

export const request: Operation<'getEventRanking'> = { id: 'getEventRanking', method: 'GET', path: '/api/v1/organizations/{organization_id}/events/{event_id}/ranking' };

export function getEventRanking(api: Connection, organizationId: string, eventId: string, query?: EventRankingQuery, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], query });
}
