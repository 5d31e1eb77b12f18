// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { IdempotencyOptions, SendingOptions } from '../options.ts';
import type { PassingsUploadIn } from '../types.ts';

export const request: Operation<'uploadEventPassings'> = { id: 'uploadEventPassings', method: 'POST', path: '/public/v1/events/{event_id}/passings' };

export function uploadEventPassings(api: Connection, eventId: string, passingsUpload: PassingsUploadIn, options?: IdempotencyOptions & SendingOptions) {
  return api.sendNamed(request, { ...options, idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(), ids: [eventId], query: { sender: options?.sender, leave: options?.leave }, json: passingsUpload });
}
