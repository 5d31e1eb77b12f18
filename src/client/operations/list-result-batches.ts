// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { ListResultBatchesQuery, ResultBatch } from '../types.ts';

export const request: Operation<'listResultBatches'> = { id: 'listResultBatches', method: 'GET', path: '/public/v1/events/{event_id}/result-batches' };

export function listResultBatches(api: Connection, eventId: string, query: ListResultBatchesQuery, options: ConditionalOptions): Promise<Tagged<Page<ResultBatch>> | 'not modified'>;
export function listResultBatches(api: Connection, eventId: string, query?: ListResultBatchesQuery, options?: RequestOptions): List<ResultBatch, Tagged<Page<ResultBatch>>>;
export function listResultBatches(api: Connection, eventId: string, query?: ListResultBatchesQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
