// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { StartsIn } from '../types.ts';

export const request: Operation<'putEventStarts'> = { id: 'putEventStarts', method: 'PUT', path: '/public/v1/events/{event_id}/starts' };

export function putEventStarts(api: Connection, eventId: string, starts: StartsIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [eventId], json: starts });
}
