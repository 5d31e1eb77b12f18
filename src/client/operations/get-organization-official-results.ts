// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'getOrganizationOfficialResults'> = { id: 'getOrganizationOfficialResults', method: 'GET', path: '/api/v1/organizations/{organization_id}/events/{event_id}/results/official/{version}' };

export function getOrganizationOfficialResults(api: Connection, organizationId: string, eventId: string, version: number, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId, String(version)], isText: true });
}
