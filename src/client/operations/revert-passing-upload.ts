// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { DryRunOptions } from '../options.ts';

export const request: Operation<'revertPassingUpload'> = { id: 'revertPassingUpload', method: 'POST', path: '/public/v1/events/{event_id}/passing-uploads/{upload_id}/revert' };

export function revertPassingUpload(api: Connection, eventId: string, uploadId: string, options?: DryRunOptions) {
  return api.send(request, { ...options, ids: [eventId, uploadId], query: { dry_run: options?.dryRun }, isOnce: true });
}
