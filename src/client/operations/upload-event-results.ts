// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { ByHandOptions, UploadOptions } from '../options.ts';
import type { ResultsUploadIn } from '../types.ts';

export const request: Operation<'uploadEventResults'> = { id: 'uploadEventResults', method: 'POST', path: '/public/v1/events/{event_id}/results' };

/**
 * Loads up to 5000 results by bib. The body has at most 8 MiB. For a live feed, send the arrivals of 2 to 5 seconds in
 * one request. Every attempt of a call has the same idempotency key, so it is stored once. `replayed` says whether an
 * earlier attempt or call stored it. Scope `results:write`.
 */
export function uploadEventResults(api: Connection, eventId: string, resultsUpload: ResultsUploadIn, options?: UploadOptions & ByHandOptions) {
  return api.sendNamed(request, { ...options, idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(), ids: [eventId], query: { reason: options?.reason, by_hand: options?.byHand }, json: resultsUpload });
}
