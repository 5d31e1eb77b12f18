// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { Result, ResultQuery } from '../types.ts';

export const request: Operation<'listEventResults'> = { id: 'listEventResults', method: 'GET', path: '/public/v1/events/{event_id}/results' };

export function listEventResults(api: Connection, eventId: string, query: ResultQuery, options: ConditionalOptions): Promise<Tagged<Page<Result>> | 'not modified'>;
export function listEventResults(api: Connection, eventId: string, query?: ResultQuery, options?: RequestOptions): List<Result, Tagged<Page<Result>>>;
export function listEventResults(api: Connection, eventId: string, query?: ResultQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
