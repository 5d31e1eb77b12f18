// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { BoardResult } from '../types.ts';

export const request: Operation<'getBoardRunner'> = { id: 'getBoardRunner', method: 'GET', path: '/board/v1/{event_id}/runners/{bib_number}' };

/**
 * Returns a runner with times, places, splits and the changes of the result. It finds exactly this bib, or else one
 * that differs in its case, in a `#` or in leading zeros. To poll, pass the `etag` of the last answer as
 * `ifNoneMatch`: the call returns 'not modified' until it changes.
 */
export function getBoardRunner(api: Connection, eventId: string, bibNumber: string, options: ConditionalOptions): Promise<Tagged<BoardResult> | 'not modified'>;
export function getBoardRunner(api: Connection, eventId: string, bibNumber: string, options?: RequestOptions): Promise<Tagged<BoardResult>>;
export function getBoardRunner(api: Connection, eventId: string, bibNumber: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [eventId, bibNumber] });
}
