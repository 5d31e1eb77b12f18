// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { SendingOptions } from '../options.ts';
import { type PassingFileOptions, type ResultsFile, fileQuery, formOf } from '../results-file.ts';

export const request: Operation<'previewOrganizationEventPassingsFile'> = { id: 'previewOrganizationEventPassingsFile', method: 'POST', path: '/api/v1/organizations/{organization_id}/events/{event_id}/passings/file/preview' };

export async function previewOrganizationEventPassingsFile(api: Connection, organizationId: string, eventId: string, point: string, file: ResultsFile, options?: PassingFileOptions & SendingOptions) {
  return api.send(request, { ...options, ids: [organizationId, eventId], query: fileQuery(options?.read, { point, sender: options?.sender, leave: options?.leave }), form: await formOf(file, options?.signal) });
}
