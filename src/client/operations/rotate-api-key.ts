// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'rotateApiKey'> = { id: 'rotateApiKey', method: 'POST', path: '/api/v1/organizations/{organization_id}/api-keys/{key_id}/rotate' };

export function rotateApiKey(api: Connection, organizationId: string, keyId: string, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, keyId], isOnce: true });
}
