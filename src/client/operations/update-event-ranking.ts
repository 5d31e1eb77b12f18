// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { EventRankingIn } from '../types.ts';

export const request: Operation<'updateEventRanking'> = { id: 'updateEventRanking', method: 'PATCH', path: '/api/v1/organizations/{organization_id}/events/{event_id}/ranking' };

/**
 * Sets the rule that the places within a distance follow, and with them lists, files, the board and official versions.
 * The positions in the whole event stay those by chip time. The history of the event keeps who changed the rule, and
 * the reason. An official version keeps the rule that it was made with: under another one, the results count as
 * changed since.
 */
export function updateEventRanking(api: Connection, organizationId: string, eventId: string, eventRanking: EventRankingIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], json: eventRanking });
}
