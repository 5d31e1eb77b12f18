// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'getEventStats'> = { id: 'getEventStats', method: 'GET', path: '/public/v1/events/{event_id}/stats' };

/**
 * Counts the registrations and persons of an event. It also counts the registrations by status, distance, category,
 * kit status and gender. Scope `stats:read`.
 */
export function getEventStats(api: Connection, eventId: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [eventId] });
}
