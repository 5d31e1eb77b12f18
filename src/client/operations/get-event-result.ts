// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { Result } from '../types.ts';

export const request: Operation<'getEventResult'> = { id: 'getEventResult', method: 'GET', path: '/public/v1/events/{event_id}/results/{bib_number}' };

export function getEventResult(api: Connection, eventId: string, bibNumber: string, options: ConditionalOptions): Promise<Tagged<Result> | 'not modified'>;
export function getEventResult(api: Connection, eventId: string, bibNumber: string, options?: RequestOptions): Promise<Tagged<Result>>;
export function getEventResult(api: Connection, eventId: string, bibNumber: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [eventId, bibNumber] });
}
