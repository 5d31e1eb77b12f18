// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { EventStats } from '../types.ts';

export const request: Operation<'getEventStats'> = { id: 'getEventStats', method: 'GET', path: '/public/v1/events/{event_id}/stats' };

/**
 * Counts the registrations and persons of an event. It also counts the registrations by status, distance, category,
 * kit status and gender. To poll, pass the `etag` of the last answer as `ifNoneMatch`: the call returns 'not modified'
 * until it changes. Scope `stats:read`.
 */
export function getEventStats(api: Connection, eventId: string, options: ConditionalOptions): Promise<Tagged<EventStats> | 'not modified'>;
export function getEventStats(api: Connection, eventId: string, options?: RequestOptions): Promise<Tagged<EventStats>>;
export function getEventStats(api: Connection, eventId: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [eventId] });
}
