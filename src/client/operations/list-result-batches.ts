// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { ListResultBatchesQuery, ResultBatch } from '../types.ts';

export const request: Operation<'listResultBatches'> = { id: 'listResultBatches', method: 'GET', path: '/public/v1/events/{event_id}/result-batches' };

/**
 * Lists the uploads, reverts and deletions of an event with their counts. The one that took effect last comes first:
 * batches that are taken back in this order leave what was there before them. To poll, pass the `etag` of the last
 * page as `ifNoneMatch`: the call returns 'not modified' until it changes. Scope `events:read`.
 */
export function listResultBatches(api: Connection, eventId: string, query: ListResultBatchesQuery, options: ConditionalOptions): Promise<Tagged<Page<ResultBatch>> | 'not modified'>;
export function listResultBatches(api: Connection, eventId: string, query?: ListResultBatchesQuery, options?: RequestOptions): List<ResultBatch, Tagged<Page<ResultBatch>>>;
export function listResultBatches(api: Connection, eventId: string, query?: ListResultBatchesQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
