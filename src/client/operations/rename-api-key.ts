// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ApiKeyNameIn } from '../types.ts';

export const request: Operation<'renameApiKey'> = { id: 'renameApiKey', method: 'PATCH', path: '/api/v1/organizations/{organization_id}/api-keys/{key_id}' };

export function renameApiKey(api: Connection, organizationId: string, keyId: string, apiKeyName: ApiKeyNameIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, keyId], json: apiKeyName });
}
