// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { PageQuery } from '../types.ts';

export const request: Operation<'listHiddenDistances'> = { id: 'listHiddenDistances', method: 'GET', path: '/api/v1/organizations/{organization_id}/events/{event_id}/hidden-distances' };

export function listHiddenDistances(api: Connection, organizationId: string, eventId: string, query?: PageQuery, options?: RequestOptions) {
  return api.list(request, { ...options, ids: [organizationId, eventId], query });
}
