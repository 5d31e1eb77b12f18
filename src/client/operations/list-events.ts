// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { Event, PageQuery } from '../types.ts';

export const request: Operation<'listEvents'> = { id: 'listEvents', method: 'GET', path: '/public/v1/events' };

export function listEvents(api: Connection, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<Event>> | 'not modified'>;
export function listEvents(api: Connection, query?: PageQuery, options?: RequestOptions): List<Event, Tagged<Page<Event>>>;
export function listEvents(api: Connection, query?: PageQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, query });
}
