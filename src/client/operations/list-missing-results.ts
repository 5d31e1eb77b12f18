// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { MissingResultQuery } from '../types.ts';

export const request: Operation<'listMissingResults'> = { id: 'listMissingResults', method: 'GET', path: '/public/v1/events/{event_id}/missing-results' };

/**
 * Lists the paid registrations that have a bib and no result yet, by bib. A result may be without a time: a DNF is
 * one. If you send several filters, a registration must match all of them. Each value must match exactly. Scope
 * `events:read`.
 */
export function listMissingResults(api: Connection, eventId: string, query?: MissingResultQuery, options?: RequestOptions) {
  return api.list(request, { ...options, ids: [eventId], query });
}
