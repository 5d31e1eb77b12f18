// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { PointsIn } from '../types.ts';

export const request: Operation<'putEventPoints'> = { id: 'putEventPoints', method: 'PUT', path: '/public/v1/events/{event_id}/points' };

export function putEventPoints(api: Connection, eventId: string, points: PointsIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [eventId], json: points });
}
