// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'showDistance'> = { id: 'showDistance', method: 'DELETE', path: '/api/v1/organizations/{organization_id}/events/{event_id}/hidden-distances/{distance}' };

export function showDistance(api: Connection, organizationId: string, eventId: string, distance: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId, distance] });
}
