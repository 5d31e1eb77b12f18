// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { UploadOptions } from '../options.ts';
import { type FileOptions, type ResultsFile, fileQuery, formOf } from '../results-file.ts';

export const request: Operation<'uploadOrganizationEventResultsFile'> = { id: 'uploadOrganizationEventResultsFile', method: 'POST', path: '/api/v1/organizations/{organization_id}/events/{event_id}/results/file' };

/**
 * Does what `uploadEventResultsFile` does. The batch is recorded with the user and has no key. Every attempt of a call
 * has the same idempotency key, so it is stored once. `replayed` says whether an earlier attempt or call stored it.
 * @throws RangeError for a larger stream, and any error of the stream
 */
export async function uploadOrganizationEventResultsFile(api: Connection, organizationId: string, eventId: string, file: ResultsFile, options?: FileOptions & UploadOptions) {
  return api.sendNamed(request, { ...options, idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(), ids: [organizationId, eventId], query: fileQuery(options?.read, { reason: options?.reason }), form: await formOf(file, options?.signal) });
}
