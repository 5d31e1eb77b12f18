// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { ByHandOptions, SendingOptions, TimesOptions, UploadOptions } from '../options.ts';
import type { ResultsUploadIn } from '../types.ts';

export const request: Operation<'uploadEventResults'> = { id: 'uploadEventResults', method: 'POST', path: '/public/v1/events/{event_id}/results' };

export function uploadEventResults(api: Connection, eventId: string, resultsUpload: ResultsUploadIn, options?: UploadOptions & ByHandOptions & SendingOptions & TimesOptions) {
  return api.sendNamed(request, { ...options, idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(), ids: [eventId], query: { reason: options?.reason, by_hand: options?.byHand, time_format: options?.timesOfDay ? 'time_of_day' : undefined, sender: options?.sender, leave: options?.leave }, json: resultsUpload });
}
