// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { Passing, PassingQuery } from '../types.ts';

export const request: Operation<'listEventPassings'> = { id: 'listEventPassings', method: 'GET', path: '/public/v1/events/{event_id}/passings' };

export function listEventPassings(api: Connection, eventId: string, query: PassingQuery, options: ConditionalOptions): Promise<Tagged<Page<Passing>> | 'not modified'>;
export function listEventPassings(api: Connection, eventId: string, query?: PassingQuery, options?: RequestOptions): List<Passing, Tagged<Page<Passing>>>;
export function listEventPassings(api: Connection, eventId: string, query?: PassingQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
