// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { LookupQuery, ParticipantLookup } from '../types.ts';

export const request: Operation<'lookupEventParticipants'> = { id: 'lookupEventParticipants', method: 'GET', path: '/public/v1/events/{event_id}/participants/lookup' };

/**
 * Finds registrations by bib, chip or document. Send at least one of the three. If you send several, a registration
 * must match all of them. To poll, pass the `etag` of the last page as `ifNoneMatch`: the call returns 'not modified'
 * until it changes. Scope `participants:read`.
 */
export function lookupEventParticipants(api: Connection, eventId: string, query: LookupQuery, options: ConditionalOptions): Promise<Tagged<Page<ParticipantLookup>> | 'not modified'>;
export function lookupEventParticipants(api: Connection, eventId: string, query: LookupQuery, options?: RequestOptions): List<ParticipantLookup, Tagged<Page<ParticipantLookup>>>;
export function lookupEventParticipants(api: Connection, eventId: string, query: LookupQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
