// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { UploadOptions } from '../options.ts';
import { type FileOptions, type ResultsFile, fileQuery, formOf } from '../results-file.ts';

export const request: Operation<'uploadEventResultsFile'> = { id: 'uploadEventResultsFile', method: 'POST', path: '/public/v1/events/{event_id}/results/file' };

/**
 * Loads the results of a CSV file or a workbook (.xlsx) with one row per bib. The file has up to 100000 rows of at
 * most 65 536 characters. The body has at most 16 MiB. Every attempt of a call has the same idempotency key, so it is
 * stored once. `replayed` says whether an earlier attempt or call stored it. Scope `results:write`.
 * @throws RangeError for a larger stream, and any error of the stream
 */
export async function uploadEventResultsFile(api: Connection, eventId: string, file: ResultsFile, options?: FileOptions & UploadOptions) {
  return api.sendNamed(request, { ...options, idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(), ids: [eventId], query: fileQuery(options?.read, { reason: options?.reason }), form: await formOf(file, options?.signal) });
}
