// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { DryRunOptions, ShiftOptions } from '../options.ts';
import type { StartsIn } from '../types.ts';

export const request: Operation<'putEventStarts'> = { id: 'putEventStarts', method: 'PUT', path: '/public/v1/events/{event_id}/starts' };

export function putEventStarts(api: Connection, eventId: string, starts: StartsIn, options?: DryRunOptions & ShiftOptions) {
  return api.send(request, { ...options, ids: [eventId], query: { dry_run: options?.dryRun, shift: options?.shift }, json: starts });
}
