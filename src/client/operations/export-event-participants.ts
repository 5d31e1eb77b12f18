// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ParticipantExportQuery } from '../types.ts';

export const request: Operation<'exportEventParticipants'> = { id: 'exportEventParticipants', method: 'GET', path: '/public/v1/events/{event_id}/participants/export' };

/**
 * Answers all participants as of one moment, in the order and with the fields of the list. It costs one request of the
 * limit, whatever their number. It is read before the first item comes, so an iteration that has begun is complete.
 * Scope `participants:read`.
 */
export function exportEventParticipants(api: Connection, eventId: string, query?: ParticipantExportQuery, options?: RequestOptions) {
  return api.lines(request, { ...options, ids: [eventId], query });
}
