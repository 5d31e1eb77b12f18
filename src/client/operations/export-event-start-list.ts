// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { StartListQuery } from '../types.ts';

export const request: Operation<'exportEventStartList'> = { id: 'exportEventStartList', method: 'GET', path: '/public/v1/events/{event_id}/start-list' };

/**
 * Answers everybody who may start as of one moment, in the order of registration: whoever has not cancelled, in any
 * state of payment. It has what a timing program imports, without document, email and phone. It is read before the
 * first item comes, so an iteration that has begun is complete. Scope `inscriptions:read`.
 */
export function exportEventStartList(api: Connection, eventId: string, query?: StartListQuery, options?: RequestOptions) {
  return api.lines(request, { ...options, ids: [eventId], query });
}
