// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { BoardResult } from '../types.ts';

export const request: Operation<'getBoardRunner'> = { id: 'getBoardRunner', method: 'GET', path: '/board/v1/{event_id}/runners/{bib_number}' };

export function getBoardRunner(api: Connection, eventId: string, bibNumber: string, options: ConditionalOptions): Promise<Tagged<BoardResult> | 'not modified'>;
export function getBoardRunner(api: Connection, eventId: string, bibNumber: string, options?: RequestOptions): Promise<Tagged<BoardResult>>;
export function getBoardRunner(api: Connection, eventId: string, bibNumber: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [eventId, bibNumber] });
}
