// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { DryRunOptions } from '../options.ts';

export const request: Operation<'deleteEventPassings'> = { id: 'deleteEventPassings', method: 'DELETE', path: '/public/v1/events/{event_id}/passings' };

/**
 * Deletes all passings of one point: a clock that was wrong, a file that was sent under another name. The results and
 * the other points stay. It cannot be undone: send the passings again. With `dryRun` the answer says how many there
 * are. Scope `results:write`.
 */
export function deleteEventPassings(api: Connection, eventId: string, point: string, options?: DryRunOptions) {
  return api.send(request, { ...options, ids: [eventId], query: { point, dry_run: options?.dryRun } });
}
