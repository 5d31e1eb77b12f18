// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { ReasonOptions } from '../options.ts';

export const request: Operation<'deleteEventResult'> = { id: 'deleteEventResult', method: 'DELETE', path: '/public/v1/events/{event_id}/results/{bib_number}' };

export function deleteEventResult(api: Connection, eventId: string, bibNumber: string, options?: ReasonOptions) {
  return api.send(request, { ...options, ids: [eventId, bibNumber], query: { reason: options?.reason }, isOnce: true });
}
