// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { Result } from '../types.ts';

export const request: Operation<'getEventResult'> = { id: 'getEventResult', method: 'GET', path: '/public/v1/events/{event_id}/results/{bib_number}' };

/**
 * Returns the result of one bib with all its positions. To poll, pass the `etag` of the last answer as `ifNoneMatch`:
 * the call returns 'not modified' until it changes. Scope `events:read`.
 */
export function getEventResult(api: Connection, eventId: string, bibNumber: string, options: ConditionalOptions): Promise<Tagged<Result> | 'not modified'>;
export function getEventResult(api: Connection, eventId: string, bibNumber: string, options?: RequestOptions): Promise<Tagged<Result>>;
export function getEventResult(api: Connection, eventId: string, bibNumber: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [eventId, bibNumber] });
}
