// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'hideName'> = { id: 'hideName', method: 'PUT', path: '/api/v1/organizations/{organization_id}/events/{event_id}/hidden-names/{bib_number}' };

export function hideName(api: Connection, organizationId: string, eventId: string, bibNumber: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId, bibNumber] });
}
