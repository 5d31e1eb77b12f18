// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ListPassingUploadsQuery } from '../types.ts';

export const request: Operation<'listOrganizationPassingUploads'> = { id: 'listOrganizationPassingUploads', method: 'GET', path: '/api/v1/organizations/{organization_id}/events/{event_id}/passing-uploads' };

export function listOrganizationPassingUploads(api: Connection, organizationId: string, eventId: string, query?: ListPassingUploadsQuery, options?: RequestOptions) {
  return api.list(request, { ...options, ids: [organizationId, eventId], query });
}
