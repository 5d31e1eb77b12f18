// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { LookupQuery } from '../types.ts';

export const request: Operation<'lookupEventParticipants'> = { id: 'lookupEventParticipants', method: 'GET', path: '/public/v1/events/{event_id}/participants/lookup' };

/**
 * Finds registrations by bib, chip or document. Send at least one of the three. If you send several, a registration
 * must match all of them. Scope `participants:read`.
 */
export function lookupEventParticipants(api: Connection, eventId: string, query: LookupQuery, options?: RequestOptions) {
  return api.list(request, { ...options, ids: [eventId], query });
}
