// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { DryRunOptions, ReasonOptions } from '../options.ts';

export const request: Operation<'revertOrganizationResultBatch'> = { id: 'revertOrganizationResultBatch', method: 'POST', path: '/api/v1/organizations/{organization_id}/events/{event_id}/result-batches/{batch_id}/revert' };

export function revertOrganizationResultBatch(api: Connection, organizationId: string, eventId: string, batchId: string, options?: DryRunOptions & ReasonOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId, batchId], query: { reason: options?.reason, dry_run: options?.dryRun } });
}
