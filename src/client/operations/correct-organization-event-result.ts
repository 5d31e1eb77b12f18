// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ResultCorrectionIn } from '../types.ts';

export const request: Operation<'correctOrganizationEventResult'> = { id: 'correctOrganizationEventResult', method: 'PATCH', path: '/api/v1/organizations/{organization_id}/events/{event_id}/results/{bib_number}' };

/**
 * Changes the status or a time of the result of one bib. What the body does not name stays, and so do the splits. A
 * runner without a result gets one, for example the time from the paper list: without `status` it is `FINISHED`, and
 * `before` of the answer is null. The correction is a batch of its own with the user and the reason:
 * `revertOrganizationResultBatch` with its `batch_id` takes it back. Name at least one of `status`, `chip_time` and
 * `gun_time`.
 */
export function correctOrganizationEventResult(api: Connection, organizationId: string, eventId: string, bibNumber: string, resultCorrection: ResultCorrectionIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId, bibNumber], json: resultCorrection });
}
