// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { EventStats } from '../types.ts';

export const request: Operation<'getEventStats'> = { id: 'getEventStats', method: 'GET', path: '/public/v1/events/{event_id}/stats' };

export function getEventStats(api: Connection, eventId: string, options: ConditionalOptions): Promise<Tagged<EventStats> | 'not modified'>;
export function getEventStats(api: Connection, eventId: string, options?: RequestOptions): Promise<Tagged<EventStats>>;
export function getEventStats(api: Connection, eventId: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [eventId] });
}
