// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { EventRankingIn } from '../types.ts';

export const request: Operation<'updateEventRanking'> = { id: 'updateEventRanking', method: 'PATCH', path: '/api/v1/organizations/{organization_id}/events/{event_id}/ranking' };

export function updateEventRanking(api: Connection, organizationId: string, eventId: string, eventRanking: EventRankingIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], json: eventRanking });
}
