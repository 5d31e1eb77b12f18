// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ListResultBatchesQuery } from '../types.ts';

export const request: Operation<'listResultBatches'> = { id: 'listResultBatches', method: 'GET', path: '/public/v1/events/{event_id}/result-batches' };

/**
 * Lists the uploads, reverts and deletions of an event with their counts. The one that took effect last comes first:
 * batches that are taken back in this order leave what was there before them. Scope `events:read`.
 */
export function listResultBatches(api: Connection, eventId: string, query?: ListResultBatchesQuery, options?: RequestOptions) {
  return api.list(request, { ...options, ids: [eventId], query });
}
