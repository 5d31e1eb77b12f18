// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { Board } from '../types.ts';

export const request: Operation<'getBoard'> = { id: 'getBoard', method: 'GET', path: '/board/v1/{event_id}' };

export function getBoard(api: Connection, eventId: string, options: ConditionalOptions): Promise<Tagged<Board> | 'not modified'>;
export function getBoard(api: Connection, eventId: string, options?: RequestOptions): Promise<Tagged<Board>>;
export function getBoard(api: Connection, eventId: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [eventId] });
}
