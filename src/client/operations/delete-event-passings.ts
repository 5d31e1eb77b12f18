// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { DryRunOptions } from '../options.ts';

export const request: Operation<'deleteEventPassings'> = { id: 'deleteEventPassings', method: 'DELETE', path: '/public/v1/events/{event_id}/passings' };

export function deleteEventPassings(api: Connection, eventId: string, point: string, options?: DryRunOptions) {
  return api.send(request, { ...options, ids: [eventId], query: { point, dry_run: options?.dryRun } });
}
