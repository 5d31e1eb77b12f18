// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'showName'> = { id: 'showName', method: 'DELETE', path: '/api/v1/organizations/{organization_id}/events/{event_id}/hidden-names/{bib_number}' };

/**
 * Undoes `hideName`. A second call changes nothing. A board that is open follows within seconds, that of an event with
 * tens of thousands of runners within a minute.
 */
export function showName(api: Connection, organizationId: string, eventId: string, bibNumber: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId, bibNumber] });
}
