// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { PassingExportQuery } from '../types.ts';

export const request: Operation<'exportEventPassings'> = { id: 'exportEventPassings', method: 'GET', path: '/public/v1/events/{event_id}/passings/export' };

export function exportEventPassings(api: Connection, eventId: string, query?: PassingExportQuery, options?: RequestOptions) {
  return api.lines(request, { ...options, ids: [eventId], query });
}
