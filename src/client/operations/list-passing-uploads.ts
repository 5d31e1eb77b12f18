// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { List, Page } from '../list.ts';
import type { ListPassingUploadsQuery, PassingUpload } from '../types.ts';

export const request: Operation<'listPassingUploads'> = { id: 'listPassingUploads', method: 'GET', path: '/public/v1/events/{event_id}/passing-uploads' };

export function listPassingUploads(api: Connection, eventId: string, query: ListPassingUploadsQuery, options: ConditionalOptions): Promise<Tagged<Page<PassingUpload>> | 'not modified'>;
export function listPassingUploads(api: Connection, eventId: string, query?: ListPassingUploadsQuery, options?: RequestOptions): List<PassingUpload, Tagged<Page<PassingUpload>>>;
export function listPassingUploads(api: Connection, eventId: string, query?: ListPassingUploadsQuery, options?: RequestOptions) {
  return api.polledList(request, { ...options, ids: [eventId], query });
}
