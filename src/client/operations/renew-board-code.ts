// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'renewBoardCode'> = { id: 'renewBoardCode', method: 'POST', path: '/api/v1/organizations/{organization_id}/events/{event_id}/board/code' };

export function renewBoardCode(api: Connection, organizationId: string, eventId: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], isOnce: true });
}
