// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { StartListQuery } from '../types.ts';

export const request: Operation<'exportEventStartList'> = { id: 'exportEventStartList', method: 'GET', path: '/public/v1/events/{event_id}/start-list' };

export function exportEventStartList(api: Connection, eventId: string, query?: StartListQuery, options?: RequestOptions) {
  return api.lines(request, { ...options, ids: [eventId], query });
}
