// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { PageQuery } from '../types.ts';

export const request: Operation<'listOfficialResults'> = { id: 'listOfficialResults', method: 'GET', path: '/public/v1/events/{event_id}/results/official' };

/**
 * Lists the official versions of the results, the last one first. `state` is `official` while the results are those of
 * the version. Any later difference makes it `changed_since`: another time, a bib that was swapped, a category. It is
 * `official` again when the results are the same again. Scope `events:read`.
 */
export function listOfficialResults(api: Connection, eventId: string, query?: PageQuery, options?: RequestOptions) {
  return api.list(request, { ...options, ids: [eventId], query });
}
