// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ApiKeyIn } from '../types.ts';

export const request: Operation<'createApiKey'> = { id: 'createApiKey', method: 'POST', path: '/api/v1/organizations/{organization_id}/api-keys' };

export function createApiKey(api: Connection, organizationId: string, apiKey: ApiKeyIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId], json: apiKey, isOnce: true });
}
