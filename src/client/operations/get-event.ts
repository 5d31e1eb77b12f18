// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'getEvent'> = { id: 'getEvent', method: 'GET', path: '/public/v1/events/{event_id}' };

/** Returns one event. Scope `events:read`. */
export function getEvent(api: Connection, eventId: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [eventId] });
}
