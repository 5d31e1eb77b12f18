// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { PageQuery } from '../types.ts';

export const request: Operation<'listApiKeys'> = { id: 'listApiKeys', method: 'GET', path: '/api/v1/organizations/{organization_id}/api-keys' };

export function listApiKeys(api: Connection, organizationId: string, query?: PageQuery, options?: RequestOptions) {
  return api.list(request, { ...options, ids: [organizationId], query });
}
