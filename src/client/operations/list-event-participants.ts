// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { Participant, ParticipantQuery } from '../types.ts';

export const request: Operation<'listEventParticipants'> = { id: 'listEventParticipants', method: 'GET', path: '/public/v1/events/{event_id}/participants' };

export function listEventParticipants(api: Connection, eventId: string, query: ParticipantQuery, options: ConditionalOptions): Promise<Tagged<Page<Participant>> | 'not modified'>;
export function listEventParticipants(api: Connection, eventId: string, query?: ParticipantQuery, options?: RequestOptions): List<Participant, Tagged<Page<Participant>>>;
export function listEventParticipants(api: Connection, eventId: string, query?: ParticipantQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query }, (last) => ({ after: last.inscription_id }));
}
