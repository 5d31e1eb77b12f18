// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { GetOfficialResultsQuery } from '../types.ts';

export const request: Operation<'getOfficialResults'> = { id: 'getOfficialResults', method: 'GET', path: '/public/v1/events/{event_id}/results/official/{version}' };

export function getOfficialResults(api: Connection, eventId: string, version: number, query?: GetOfficialResultsQuery, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [eventId, String(version)], query, isText: true });
}
