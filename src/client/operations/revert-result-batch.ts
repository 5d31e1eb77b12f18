// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { DryRunOptions, ReasonOptions } from '../options.ts';

export const request: Operation<'revertResultBatch'> = { id: 'revertResultBatch', method: 'POST', path: '/public/v1/events/{event_id}/result-batches/{batch_id}/revert' };

export function revertResultBatch(api: Connection, eventId: string, batchId: string, options?: DryRunOptions & ReasonOptions) {
  return api.send(request, { ...options, ids: [eventId, batchId], query: { reason: options?.reason, dry_run: options?.dryRun } });
}
