// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { PageQuery, ResultVersion } from '../types.ts';

export const request: Operation<'listEventResultVersions'> = { id: 'listEventResultVersions', method: 'GET', path: '/public/v1/events/{event_id}/results/{bib_number}/history' };

/**
 * Lists the versions of the result of one bib, the first one first: what it said, when and by which key or user it was
 * made, from which file, and why. Version n replaced version n - 1. A version without a `result` took it away. The
 * next version takes one back if its `reverts` is this one's `batch_id`. To poll, pass the `etag` of the last page as
 * `ifNoneMatch`: the call returns 'not modified' until it changes. Scope `events:read`.
 */
export function listEventResultVersions(api: Connection, eventId: string, bibNumber: string, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<ResultVersion>> | 'not modified'>;
export function listEventResultVersions(api: Connection, eventId: string, bibNumber: string, query?: PageQuery, options?: RequestOptions): List<ResultVersion, Tagged<Page<ResultVersion>>>;
export function listEventResultVersions(api: Connection, eventId: string, bibNumber: string, query?: PageQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId, bibNumber], query });
}
