// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { RunnerQuery } from '../types.ts';

export const request: Operation<'listOrganizationEventRunners'> = { id: 'listOrganizationEventRunners', method: 'GET', path: '/api/v1/organizations/{organization_id}/events/{event_id}/runners' };

export function listOrganizationEventRunners(api: Connection, organizationId: string, eventId: string, query?: RunnerQuery, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], query });
}
