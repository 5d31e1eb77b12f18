// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { DryRunOptions } from '../options.ts';

export const request: Operation<'deleteOrganizationEventPassings'> = { id: 'deleteOrganizationEventPassings', method: 'DELETE', path: '/api/v1/organizations/{organization_id}/events/{event_id}/passings' };

export function deleteOrganizationEventPassings(api: Connection, organizationId: string, eventId: string, point: string, options?: DryRunOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], query: { point, dry_run: options?.dryRun } });
}
