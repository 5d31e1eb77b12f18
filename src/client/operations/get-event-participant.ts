// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'getEventParticipant'> = { id: 'getEventParticipant', method: 'GET', path: '/public/v1/events/{event_id}/participants/{inscription_id}' };

/**
 * Returns one paid, non-cancelled registration by the `inscription_id` that a result or a list has. Scope
 * `participants:read`.
 */
export function getEventParticipant(api: Connection, eventId: string, inscriptionId: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [eventId, inscriptionId] });
}
