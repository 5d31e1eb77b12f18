// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { ReasonOptions } from '../options.ts';

export const request: Operation<'deleteOrganizationEventResult'> = { id: 'deleteOrganizationEventResult', method: 'DELETE', path: '/api/v1/organizations/{organization_id}/events/{event_id}/results/{bib_number}' };

export function deleteOrganizationEventResult(api: Connection, organizationId: string, eventId: string, bibNumber: string, options?: ReasonOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId, bibNumber], query: { reason: options?.reason }, isOnce: true });
}
