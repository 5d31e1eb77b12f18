// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { IdempotencyOptions } from '../options.ts';
import { type PassingFileOptions, type ResultsFile, fileQuery, formOf } from '../results-file.ts';

export const request: Operation<'uploadEventPassingsFile'> = { id: 'uploadEventPassingsFile', method: 'POST', path: '/public/v1/events/{event_id}/passings/file' };

/**
 * Loads the times of one point from a CSV file or a workbook (.xlsx), as `uploadEventResultsFile` reads one: a column
 * of bibs and a column of times since the start. If a column has the name of the point, it has the times, so a file of
 * results with splits can be sent for each of its points. The API reads no status and no other column. Every attempt
 * of a call has the same idempotency key, so it is stored once. `replayed` says whether an earlier attempt or call
 * stored it. Scope `results:write`.
 * @throws RangeError for a larger stream, and any error of the stream
 */
export async function uploadEventPassingsFile(api: Connection, eventId: string, point: string, file: ResultsFile, options?: PassingFileOptions & IdempotencyOptions) {
  return api.sendNamed(request, { ...options, idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(), ids: [eventId], query: fileQuery(options?.read, { point }), form: await formOf(file, options?.signal) });
}
