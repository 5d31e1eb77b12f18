// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { SendingOptions } from '../options.ts';
import { type PassingFileOptions, type ResultsFile, fileQuery, formOf } from '../results-file.ts';

export const request: Operation<'previewEventPassingsFile'> = { id: 'previewEventPassingsFile', method: 'POST', path: '/public/v1/events/{event_id}/passings/file/preview' };

export async function previewEventPassingsFile(api: Connection, eventId: string, point: string, file: ResultsFile, options?: PassingFileOptions & SendingOptions) {
  return api.send(request, { ...options, ids: [eventId], query: fileQuery(options?.read, { point, sender: options?.sender, leave: options?.leave }), form: await formOf(file, options?.signal) });
}
