// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ResultSwapIn } from '../types.ts';

export const request: Operation<'swapOrganizationEventResults'> = { id: 'swapOrganizationEventResults', method: 'POST', path: '/api/v1/organizations/{organization_id}/events/{event_id}/results/swap' };

export function swapOrganizationEventResults(api: Connection, organizationId: string, eventId: string, resultSwap: ResultSwapIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], json: resultSwap, isOnce: true });
}
