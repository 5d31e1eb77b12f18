// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { OfficialResults, PageQuery } from '../types.ts';

export const request: Operation<'listOfficialResults'> = { id: 'listOfficialResults', method: 'GET', path: '/public/v1/events/{event_id}/results/official' };

/**
 * Lists the official versions of the results, the last one first. `state` is `official` while the results are those of
 * the version. Any later difference makes it `changed_since`: another time, a bib that was swapped, a category. It is
 * `official` again when the results are the same again. To poll, pass the `etag` of the last page as `ifNoneMatch`:
 * the call returns 'not modified' until it changes. Scope `events:read`.
 */
export function listOfficialResults(api: Connection, eventId: string, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<OfficialResults>> | 'not modified'>;
export function listOfficialResults(api: Connection, eventId: string, query?: PageQuery, options?: RequestOptions): List<OfficialResults, Tagged<Page<OfficialResults>>>;
export function listOfficialResults(api: Connection, eventId: string, query?: PageQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
