// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { DryRunOptions } from '../options.ts';

export const request: Operation<'revertOrganizationPassingUpload'> = { id: 'revertOrganizationPassingUpload', method: 'POST', path: '/api/v1/organizations/{organization_id}/events/{event_id}/passing-uploads/{upload_id}/revert' };

export function revertOrganizationPassingUpload(api: Connection, organizationId: string, eventId: string, uploadId: string, options?: DryRunOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId, uploadId], query: { dry_run: options?.dryRun }, isOnce: true });
}
