// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { LookupQuery, ParticipantLookup } from '../types.ts';

export const request: Operation<'lookupEventParticipants'> = { id: 'lookupEventParticipants', method: 'GET', path: '/public/v1/events/{event_id}/participants/lookup' };

export function lookupEventParticipants(api: Connection, eventId: string, query: LookupQuery, options: ConditionalOptions): Promise<Tagged<Page<ParticipantLookup>> | 'not modified'>;
export function lookupEventParticipants(api: Connection, eventId: string, query: LookupQuery, options?: RequestOptions): List<ParticipantLookup, Tagged<Page<ParticipantLookup>>>;
export function lookupEventParticipants(api: Connection, eventId: string, query: LookupQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
