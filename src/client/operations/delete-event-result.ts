// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { ReasonOptions } from '../options.ts';

export const request: Operation<'deleteEventResult'> = { id: 'deleteEventResult', method: 'DELETE', path: '/public/v1/events/{event_id}/results/{bib_number}' };

/**
 * Takes the result of one bib away: a bib that was misread, whose runner is still on the course. The deletion is a
 * batch of its own. `revertResultBatch` with its `batch_id` brings the result back. The client does not retry it.
 * Scope `results:write`.
 */
export function deleteEventResult(api: Connection, eventId: string, bibNumber: string, options?: ReasonOptions) {
  return api.send(request, { ...options, ids: [eventId, bibNumber], query: { reason: options?.reason }, isOnce: true });
}
