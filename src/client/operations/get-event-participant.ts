// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { Participant } from '../types.ts';

export const request: Operation<'getEventParticipant'> = { id: 'getEventParticipant', method: 'GET', path: '/public/v1/events/{event_id}/participants/{inscription_id}' };

export function getEventParticipant(api: Connection, eventId: string, inscriptionId: string, options: ConditionalOptions): Promise<Tagged<Participant> | 'not modified'>;
export function getEventParticipant(api: Connection, eventId: string, inscriptionId: string, options?: RequestOptions): Promise<Tagged<Participant>>;
export function getEventParticipant(api: Connection, eventId: string, inscriptionId: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [eventId, inscriptionId] });
}
