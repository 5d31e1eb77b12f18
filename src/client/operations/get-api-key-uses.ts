// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'getApiKeyUses'> = { id: 'getApiKeyUses', method: 'GET', path: '/api/v1/organizations/{organization_id}/api-keys/{key_id}/uses' };

export function getApiKeyUses(api: Connection, organizationId: string, keyId: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, keyId] });
}
