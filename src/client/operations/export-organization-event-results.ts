// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';

export const request: Operation<'exportOrganizationEventResults'> = { id: 'exportOrganizationEventResults', method: 'GET', path: '/api/v1/organizations/{organization_id}/events/{event_id}/results/export' };

/**
 * Answers what `exportEventResults` answers without a filter, with the names of the runners. The CSV file is for
 * people: its rows come distance by distance, in the order of their places. It begins with a byte order mark, so that
 * Excel reads its letters, has the places within the distance first, and each split is a column. With
 * `delimiter=semicolon` its cells are separated as a spreadsheet expects them where the decimal sign is a comma. It
 * contains personal data. It is read before the first item comes, so an iteration that has begun is complete.
 */
export function exportOrganizationEventResults(api: Connection, organizationId: string, eventId: string, options?: RequestOptions) {
  return api.lines(request, { ...options, ids: [organizationId, eventId] });
}

/** Answers what `exportOrganizationEventResults` answers, as a CSV file for people. */
export function exportOrganizationEventResultsFile(api: Connection, organizationId: string, eventId: string, delimiter: 'comma' | 'semicolon', options?: RequestOptions) {
  return api.sendFile(request, { ...options, ids: [organizationId, eventId], query: { delimiter } }, 'text/csv');
}
