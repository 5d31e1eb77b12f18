// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { BoardEntry, BoardResultQuery } from '../types.ts';

export const request: Operation<'listBoardResults'> = { id: 'listBoardResults', method: 'GET', path: '/board/v1/{event_id}/results' };

export function listBoardResults(api: Connection, eventId: string, query: BoardResultQuery, options: ConditionalOptions): Promise<Tagged<Page<BoardEntry>> | 'not modified'>;
export function listBoardResults(api: Connection, eventId: string, query?: BoardResultQuery, options?: RequestOptions): List<BoardEntry, Tagged<Page<BoardEntry>>>;
export function listBoardResults(api: Connection, eventId: string, query?: BoardResultQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
