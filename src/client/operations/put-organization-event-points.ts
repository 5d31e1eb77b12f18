// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { PointsIn } from '../types.ts';

export const request: Operation<'putOrganizationEventPoints'> = { id: 'putOrganizationEventPoints', method: 'PUT', path: '/api/v1/organizations/{organization_id}/events/{event_id}/points' };

export function putOrganizationEventPoints(api: Connection, organizationId: string, eventId: string, points: PointsIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], json: points });
}
