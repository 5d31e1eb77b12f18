// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ResultExportQuery } from '../types.ts';

export const request: Operation<'exportEventResults'> = { id: 'exportEventResults', method: 'GET', path: '/public/v1/events/{event_id}/results/export' };

export function exportEventResults(api: Connection, eventId: string, query?: ResultExportQuery, options?: RequestOptions) {
  return api.lines(request, { ...options, ids: [eventId], query });
}
