// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { IdempotencyOptions, SendingOptions, TimesOptions } from '../options.ts';
import type { PassingsUploadIn } from '../types.ts';

export const request: Operation<'uploadEventPassings'> = { id: 'uploadEventPassings', method: 'POST', path: '/public/v1/events/{event_id}/passings' };

export function uploadEventPassings(api: Connection, eventId: string, passingsUpload: PassingsUploadIn, options?: IdempotencyOptions & SendingOptions & TimesOptions) {
  return api.sendNamed(request, { ...options, idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(), ids: [eventId], query: { time_format: options?.timesOfDay ? 'time_of_day' : undefined, sender: options?.sender, leave: options?.leave }, json: passingsUpload });
}
