// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { PassingExportQuery } from '../types.ts';

export const request: Operation<'exportEventPassings'> = { id: 'exportEventPassings', method: 'GET', path: '/public/v1/events/{event_id}/passings/export' };

/**
 * Answers all passings as of one moment, in the order of the list and with its filters. It costs one request of the
 * limit, whatever the number of passings. It is read before the first item comes, so an iteration that has begun is
 * complete. Scope `events:read`.
 */
export function exportEventPassings(api: Connection, eventId: string, query?: PassingExportQuery, options?: RequestOptions) {
  return api.lines(request, { ...options, ids: [eventId], query });
}
