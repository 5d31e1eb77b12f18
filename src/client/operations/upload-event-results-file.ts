// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { SendingOptions, UploadOptions } from '../options.ts';
import { type FileOptions, type ResultsFile, fileQuery, formOf } from '../results-file.ts';

export const request: Operation<'uploadEventResultsFile'> = { id: 'uploadEventResultsFile', method: 'POST', path: '/public/v1/events/{event_id}/results/file' };

export async function uploadEventResultsFile(api: Connection, eventId: string, file: ResultsFile, options?: FileOptions & UploadOptions & SendingOptions) {
  return api.sendNamed(request, { ...options, idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(), ids: [eventId], query: fileQuery(options?.read, { reason: options?.reason, sender: options?.sender, leave: options?.leave }), form: await formOf(file, options?.signal) });
}
