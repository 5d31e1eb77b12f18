// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { MissingResult, MissingResultQuery } from '../types.ts';

export const request: Operation<'listMissingResults'> = { id: 'listMissingResults', method: 'GET', path: '/public/v1/events/{event_id}/missing-results' };

/**
 * Lists the paid registrations that have a bib and no result yet, by bib. A result may be without a time: a DNF is
 * one. If you send several filters, a registration must match all of them. Each value must match exactly. To poll,
 * pass the `etag` of the last page as `ifNoneMatch`: the call returns 'not modified' until it changes. Scope
 * `events:read`.
 */
export function listMissingResults(api: Connection, eventId: string, query: MissingResultQuery, options: ConditionalOptions): Promise<Tagged<Page<MissingResult>> | 'not modified'>;
export function listMissingResults(api: Connection, eventId: string, query?: MissingResultQuery, options?: RequestOptions): List<MissingResult, Tagged<Page<MissingResult>>>;
export function listMissingResults(api: Connection, eventId: string, query?: MissingResultQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
