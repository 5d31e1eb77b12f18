// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ListResultBatchesQuery } from '../types.ts';

export const request: Operation<'listOrganizationResultBatches'> = { id: 'listOrganizationResultBatches', method: 'GET', path: '/api/v1/organizations/{organization_id}/events/{event_id}/result-batches' };

export function listOrganizationResultBatches(api: Connection, organizationId: string, eventId: string, query?: ListResultBatchesQuery, options?: RequestOptions) {
  return api.list(request, { ...options, ids: [organizationId, eventId], query });
}
