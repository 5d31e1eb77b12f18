// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { PageQuery } from '../types.ts';

export const request: Operation<'listOrganizationResultVersions'> = { id: 'listOrganizationResultVersions', method: 'GET', path: '/api/v1/organizations/{organization_id}/events/{event_id}/results/{bib_number}/history' };

export function listOrganizationResultVersions(api: Connection, organizationId: string, eventId: string, bibNumber: string, query?: PageQuery, options?: RequestOptions) {
  return api.list(request, { ...options, ids: [organizationId, eventId, bibNumber], query });
}
