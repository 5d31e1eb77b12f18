// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ResultExportQuery } from '../types.ts';

export const request: Operation<'exportEventResults'> = { id: 'exportEventResults', method: 'GET', path: '/public/v1/events/{event_id}/results/export' };

/**
 * Answers all results as of one moment, in the order of the list and with its filters. It costs one request of the
 * limit, whatever the number of results. It is read before the first item comes, so an iteration that has begun is
 * complete. Scope `events:read`.
 */
export function exportEventResults(api: Connection, eventId: string, query?: ResultExportQuery, options?: RequestOptions) {
  return api.lines(request, { ...options, ids: [eventId], query });
}
