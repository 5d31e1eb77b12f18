// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { Event } from '../types.ts';

export const request: Operation<'getEvent'> = { id: 'getEvent', method: 'GET', path: '/public/v1/events/{event_id}' };

export function getEvent(api: Connection, eventId: string, options: ConditionalOptions): Promise<Tagged<Event> | 'not modified'>;
export function getEvent(api: Connection, eventId: string, options?: RequestOptions): Promise<Tagged<Event>>;
export function getEvent(api: Connection, eventId: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [eventId] });
}
