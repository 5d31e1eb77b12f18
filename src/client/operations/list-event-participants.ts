// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { Participant, ParticipantQuery } from '../types.ts';

export const request: Operation<'listEventParticipants'> = { id: 'listEventParticipants', method: 'GET', path: '/public/v1/events/{event_id}/participants' };

/**
 * Lists the paid, non-cancelled registrations of an event in the order of registration. The answer has the data that
 * each person gave when registering, unmasked. An iteration goes on after the last item of each page, so it misses
 * nobody if somebody cancels meanwhile. To poll, pass the `etag` of the last page as `ifNoneMatch`: the call returns
 * 'not modified' until it changes. Scope `participants:read`.
 */
export function listEventParticipants(api: Connection, eventId: string, query: ParticipantQuery, options: ConditionalOptions): Promise<Tagged<Page<Participant>> | 'not modified'>;
export function listEventParticipants(api: Connection, eventId: string, query?: ParticipantQuery, options?: RequestOptions): List<Participant, Tagged<Page<Participant>>>;
export function listEventParticipants(api: Connection, eventId: string, query?: ParticipantQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query }, (last) => ({ after: last.inscription_id }));
}
