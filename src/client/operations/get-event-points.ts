// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { EventPoints } from '../types.ts';

export const request: Operation<'getEventPoints'> = { id: 'getEventPoints', method: 'GET', path: '/public/v1/events/{event_id}/points' };

export function getEventPoints(api: Connection, eventId: string, options: ConditionalOptions): Promise<Tagged<EventPoints> | 'not modified'>;
export function getEventPoints(api: Connection, eventId: string, options?: RequestOptions): Promise<Tagged<EventPoints>>;
export function getEventPoints(api: Connection, eventId: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [eventId] });
}
