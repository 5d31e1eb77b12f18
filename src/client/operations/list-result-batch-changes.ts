// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { PageQuery } from '../types.ts';

export const request: Operation<'listResultBatchChanges'> = { id: 'listResultBatchChanges', method: 'GET', path: '/public/v1/events/{event_id}/result-batches/{batch_id}/changes' };

/**
 * Lists the results that a batch created, replaced or took away, by bib. A row that equalled the stored result changed
 * nothing, so it is not listed. Scope `events:read`.
 */
export function listResultBatchChanges(api: Connection, eventId: string, batchId: string, query?: PageQuery, options?: RequestOptions) {
  return api.list(request, { ...options, ids: [eventId, batchId], query });
}
