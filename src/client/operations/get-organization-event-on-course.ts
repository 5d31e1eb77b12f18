// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { GetOrganizationEventOnCourseQuery } from '../types.ts';

export const request: Operation<'getOrganizationEventOnCourse'> = { id: 'getOrganizationEventOnCourse', method: 'GET', path: '/api/v1/organizations/{organization_id}/events/{event_id}/on-course' };

export function getOrganizationEventOnCourse(api: Connection, organizationId: string, eventId: string, query?: GetOrganizationEventOnCourseQuery, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], query });
}
