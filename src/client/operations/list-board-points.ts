// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { BoardPoint, PageQuery } from '../types.ts';

export const request: Operation<'listBoardPoints'> = { id: 'listBoardPoints', method: 'GET', path: '/board/v1/{event_id}/points' };

export function listBoardPoints(api: Connection, eventId: string, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<BoardPoint>> | 'not modified'>;
export function listBoardPoints(api: Connection, eventId: string, query?: PageQuery, options?: RequestOptions): List<BoardPoint, Tagged<Page<BoardPoint>>>;
export function listBoardPoints(api: Connection, eventId: string, query?: PageQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
