// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { PageQuery, ResultVersion } from '../types.ts';

export const request: Operation<'listEventResultVersions'> = { id: 'listEventResultVersions', method: 'GET', path: '/public/v1/events/{event_id}/results/{bib_number}/history' };

export function listEventResultVersions(api: Connection, eventId: string, bibNumber: string, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<ResultVersion>> | 'not modified'>;
export function listEventResultVersions(api: Connection, eventId: string, bibNumber: string, query?: PageQuery, options?: RequestOptions): List<ResultVersion, Tagged<Page<ResultVersion>>>;
export function listEventResultVersions(api: Connection, eventId: string, bibNumber: string, query?: PageQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId, bibNumber], query });
}
