// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation } from '../connection.ts';
import type { SendingOptions } from '../options.ts';
import { type FileOptions, type ResultsFile, fileQuery, formOf } from '../results-file.ts';

export const request: Operation<'previewEventResultsFile'> = { id: 'previewEventResultsFile', method: 'POST', path: '/public/v1/events/{event_id}/results/file/preview' };

export async function previewEventResultsFile(api: Connection, eventId: string, file: ResultsFile, options?: FileOptions & SendingOptions) {
  return api.send(request, { ...options, ids: [eventId], query: fileQuery(options?.read, { sender: options?.sender, leave: options?.leave }), form: await formOf(file, options?.signal) });
}
