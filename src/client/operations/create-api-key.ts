// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ApiKeyIn } from '../types.ts';

export const request: Operation<'createApiKey'> = { id: 'createApiKey', method: 'POST', path: '/api/v1/organizations/{organization_id}/api-keys' };

/**
 * Creates a key. Only this answer contains the full key. The body has at most 64 KiB. The client does not retry it.
 */
export function createApiKey(api: Connection, organizationId: string, apiKey: ApiKeyIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId], json: apiKey, isOnce: true });
}
