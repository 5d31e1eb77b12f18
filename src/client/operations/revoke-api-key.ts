// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'revokeApiKey'> = { id: 'revokeApiKey', method: 'DELETE', path: '/api/v1/organizations/{organization_id}/api-keys/{key_id}' };

export function revokeApiKey(api: Connection, organizationId: string, keyId: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, keyId] });
}
