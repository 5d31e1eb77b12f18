// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { EventStarts } from '../types.ts';

export const request: Operation<'getEventStarts'> = { id: 'getEventStarts', method: 'GET', path: '/public/v1/events/{event_id}/starts' };

export function getEventStarts(api: Connection, eventId: string, options: ConditionalOptions): Promise<Tagged<EventStarts> | 'not modified'>;
export function getEventStarts(api: Connection, eventId: string, options?: RequestOptions): Promise<Tagged<EventStarts>>;
export function getEventStarts(api: Connection, eventId: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [eventId] });
}
