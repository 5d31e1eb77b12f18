// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { PageQuery } from '../types.ts';

export const request: Operation<'listApiKeyEvents'> = { id: 'listApiKeyEvents', method: 'GET', path: '/api/v1/organizations/{organization_id}/api-keys/{key_id}/events' };

export function listApiKeyEvents(api: Connection, organizationId: string, keyId: string, query?: PageQuery, options?: RequestOptions) {
  return api.list(request, { ...options, ids: [organizationId, keyId], query });
}
