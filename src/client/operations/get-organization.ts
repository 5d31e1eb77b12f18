// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'getOrganization'> = { id: 'getOrganization', method: 'GET', path: '/api/v1/organizations/{organization_id}' };

export function getOrganization(api: Connection, organizationId: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId] });
}
