// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { DryRunOptions, ShiftOptions } from '../options.ts';
import type { StartsIn } from '../types.ts';

export const request: Operation<'putOrganizationEventStarts'> = { id: 'putOrganizationEventStarts', method: 'PUT', path: '/api/v1/organizations/{organization_id}/events/{event_id}/starts' };

export function putOrganizationEventStarts(api: Connection, organizationId: string, eventId: string, starts: StartsIn, options?: DryRunOptions & ShiftOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], query: { dry_run: options?.dryRun, shift: options?.shift }, json: starts });
}
