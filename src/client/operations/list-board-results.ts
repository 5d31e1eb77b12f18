// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { BoardEntry, BoardResultQuery } from '../types.ts';

export const request: Operation<'listBoardResults'> = { id: 'listBoardResults', method: 'GET', path: '/board/v1/{event_id}/results' };

/**
 * Lists the results as the live board shows them: finishers by time, then the others by status and bib. Filters must
 * match exactly, and places count among those that match: select one `distance` for the places in its race. To poll,
 * pass the `etag` of the last page as `ifNoneMatch`: the call returns 'not modified' until it changes.
 */
export function listBoardResults(api: Connection, eventId: string, query: BoardResultQuery, options: ConditionalOptions): Promise<Tagged<Page<BoardEntry>> | 'not modified'>;
export function listBoardResults(api: Connection, eventId: string, query?: BoardResultQuery, options?: RequestOptions): List<BoardEntry, Tagged<Page<BoardEntry>>>;
export function listBoardResults(api: Connection, eventId: string, query?: BoardResultQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
