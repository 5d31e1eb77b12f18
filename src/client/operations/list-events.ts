// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { PageQuery } from '../types.ts';

export const request: Operation<'listEvents'> = { id: 'listEvents', method: 'GET', path: '/public/v1/events' };

/** Lists your organization's events, latest event date first. Scope `events:read`. */
export function listEvents(api: Connection, query?: PageQuery, options?: RequestOptions) {
  return api.list(request, { ...options, query });
}
