// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'rotateApiKey'> = { id: 'rotateApiKey', method: 'POST', path: '/api/v1/organizations/{organization_id}/api-keys/{key_id}/rotate' };

/**
 * Gives the key a new secret. The previous secret stops working at once. Only this answer contains the full key. The
 * client does not retry it.
 */
export function rotateApiKey(api: Connection, organizationId: string, keyId: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, keyId], isOnce: true });
}
