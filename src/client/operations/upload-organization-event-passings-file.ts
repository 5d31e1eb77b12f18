// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { IdempotencyOptions, SendingOptions } from '../options.ts';
import { type PassingFileOptions, type ResultsFile, fileQuery, formOf } from '../results-file.ts';

export const request: Operation<'uploadOrganizationEventPassingsFile'> = { id: 'uploadOrganizationEventPassingsFile', method: 'POST', path: '/api/v1/organizations/{organization_id}/events/{event_id}/passings/file' };

export async function uploadOrganizationEventPassingsFile(api: Connection, organizationId: string, eventId: string, point: string, file: ResultsFile, options?: PassingFileOptions & IdempotencyOptions & SendingOptions) {
  return api.sendNamed(request, { ...options, idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(), ids: [organizationId, eventId], query: fileQuery(options?.read, { point, sender: options?.sender, leave: options?.leave }), form: await formOf(file, options?.signal) });
}
