// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { PageQuery, ResultChange } from '../types.ts';

export const request: Operation<'listResultBatchChanges'> = { id: 'listResultBatchChanges', method: 'GET', path: '/public/v1/events/{event_id}/result-batches/{batch_id}/changes' };

export function listResultBatchChanges(api: Connection, eventId: string, batchId: string, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<ResultChange>> | 'not modified'>;
export function listResultBatchChanges(api: Connection, eventId: string, batchId: string, query?: PageQuery, options?: RequestOptions): List<ResultChange, Tagged<Page<ResultChange>>>;
export function listResultBatchChanges(api: Connection, eventId: string, batchId: string, query?: PageQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId, batchId], query });
}
