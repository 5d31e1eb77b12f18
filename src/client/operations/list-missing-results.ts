// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { MissingResult, MissingResultQuery } from '../types.ts';

export const request: Operation<'listMissingResults'> = { id: 'listMissingResults', method: 'GET', path: '/public/v1/events/{event_id}/missing-results' };

export function listMissingResults(api: Connection, eventId: string, query: MissingResultQuery, options: ConditionalOptions): Promise<Tagged<Page<MissingResult>> | 'not modified'>;
export function listMissingResults(api: Connection, eventId: string, query?: MissingResultQuery, options?: RequestOptions): List<MissingResult, Tagged<Page<MissingResult>>>;
export function listMissingResults(api: Connection, eventId: string, query?: MissingResultQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
