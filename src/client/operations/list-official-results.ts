// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { OfficialResults, PageQuery } from '../types.ts';

export const request: Operation<'listOfficialResults'> = { id: 'listOfficialResults', method: 'GET', path: '/public/v1/events/{event_id}/results/official' };

export function listOfficialResults(api: Connection, eventId: string, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<OfficialResults>> | 'not modified'>;
export function listOfficialResults(api: Connection, eventId: string, query?: PageQuery, options?: RequestOptions): List<OfficialResults, Tagged<Page<OfficialResults>>>;
export function listOfficialResults(api: Connection, eventId: string, query?: PageQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
