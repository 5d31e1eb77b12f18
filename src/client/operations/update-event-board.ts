// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { EventBoardIn } from '../types.ts';

export const request: Operation<'updateEventBoard'> = { id: 'updateEventBoard', method: 'PATCH', path: '/api/v1/organizations/{organization_id}/events/{event_id}/board' };

export function updateEventBoard(api: Connection, organizationId: string, eventId: string, eventBoard: EventBoardIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], json: eventBoard });
}
