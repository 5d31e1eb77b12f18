// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'exportOrganizationEventResults'> = { id: 'exportOrganizationEventResults', method: 'GET', path: '/api/v1/organizations/{organization_id}/events/{event_id}/results/export' };

export function exportOrganizationEventResults(api: Connection, organizationId: string, eventId: string, options?: RequestOptions) {
  return api.lines(request, { ...options, ids: [organizationId, eventId] });
}

export function exportOrganizationEventResultsFile(api: Connection, organizationId: string, eventId: string, delimiter: 'comma' | 'semicolon', options?: RequestOptions) {
  return api.sendFile(request, { ...options, ids: [organizationId, eventId], query: { delimiter } }, 'text/csv');
}
