// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ResultCorrectionIn } from '../types.ts';

export const request: Operation<'correctOrganizationEventResult'> = { id: 'correctOrganizationEventResult', method: 'PATCH', path: '/api/v1/organizations/{organization_id}/events/{event_id}/results/{bib_number}' };

export function correctOrganizationEventResult(api: Connection, organizationId: string, eventId: string, bibNumber: string, resultCorrection: ResultCorrectionIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId, bibNumber], json: resultCorrection });
}
