// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { PageQuery, PassingPoint } from '../types.ts';

export const request: Operation<'listEventPassingPoints'> = { id: 'listEventPassingPoints', method: 'GET', path: '/public/v1/events/{event_id}/passings/points' };

export function listEventPassingPoints(api: Connection, eventId: string, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<PassingPoint>> | 'not modified'>;
export function listEventPassingPoints(api: Connection, eventId: string, query?: PageQuery, options?: RequestOptions): List<PassingPoint, Tagged<Page<PassingPoint>>>;
export function listEventPassingPoints(api: Connection, eventId: string, query?: PageQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
