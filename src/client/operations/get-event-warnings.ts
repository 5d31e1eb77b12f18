// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { EventWarnings } from '../types.ts';

export const request: Operation<'getEventWarnings'> = { id: 'getEventWarnings', method: 'GET', path: '/public/v1/events/{event_id}/warnings' };

export function getEventWarnings(api: Connection, eventId: string, options: ConditionalOptions): Promise<Tagged<EventWarnings> | 'not modified'>;
export function getEventWarnings(api: Connection, eventId: string, options?: RequestOptions): Promise<Tagged<EventWarnings>>;
export function getEventWarnings(api: Connection, eventId: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [eventId] });
}
