// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { IdempotencyOptions } from '../options.ts';
import type { PassingsUploadIn } from '../types.ts';

export const request: Operation<'uploadEventPassings'> = { id: 'uploadEventPassings', method: 'POST', path: '/public/v1/events/{event_id}/passings' };

/**
 * Loads up to 5000 passings by bib and point: a runner on the course, before the finish. For a live feed, send the
 * passings of 2 to 5 seconds in one request. Every attempt of a call has the same idempotency key, so it is stored
 * once. `replayed` says whether an earlier attempt or call stored it. Scope `results:write`.
 */
export function uploadEventPassings(api: Connection, eventId: string, passingsUpload: PassingsUploadIn, options?: IdempotencyOptions) {
  return api.sendNamed(request, { ...options, idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(), ids: [eventId], json: passingsUpload });
}
