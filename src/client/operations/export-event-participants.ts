// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ParticipantExportQuery } from '../types.ts';

export const request: Operation<'exportEventParticipants'> = { id: 'exportEventParticipants', method: 'GET', path: '/public/v1/events/{event_id}/participants/export' };

export function exportEventParticipants(api: Connection, eventId: string, query?: ParticipantExportQuery, options?: RequestOptions) {
  return api.lines(request, { ...options, ids: [eventId], query });
}
