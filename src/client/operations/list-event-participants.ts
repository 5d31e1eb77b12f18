// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ParticipantQuery } from '../types.ts';

export const request: Operation<'listEventParticipants'> = { id: 'listEventParticipants', method: 'GET', path: '/public/v1/events/{event_id}/participants' };

/**
 * Lists the paid, non-cancelled registrations of an event in the order of registration. The answer has the data that
 * each person gave when registering, unmasked. An iteration goes on after the last item of each page, so it misses
 * nobody if somebody cancels meanwhile. Scope `participants:read`.
 */
export function listEventParticipants(api: Connection, eventId: string, query?: ParticipantQuery, options?: RequestOptions) {
  return api.list(request, { ...options, ids: [eventId], query }, (last) => ({ after: last.inscription_id }));
}
