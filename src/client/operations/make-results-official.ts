// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'makeResultsOfficial'> = { id: 'makeResultsOfficial', method: 'POST', path: '/api/v1/organizations/{organization_id}/events/{event_id}/results/official' };

/**
 * Signs all results as they are now, and keeps them as the next version. Results can still change: then the state of
 * the version is `changed_since`, and another version can be made. A version cannot be changed or deleted. An event
 * has at most 20. The client does not retry it.
 */
export function makeResultsOfficial(api: Connection, organizationId: string, eventId: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], isOnce: true });
}
