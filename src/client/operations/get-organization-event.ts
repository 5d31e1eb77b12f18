// Generated from the OpenAPI document by `npm run generate:client`.

import type { ConditionalOptions, Connection, Operation, RequestOptions, Tagged } from '../connection.ts';
import type { OrganizationEvent } from '../types.ts';

export const request: Operation<'getOrganizationEvent'> = { id: 'getOrganizationEvent', method: 'GET', path: '/api/v1/organizations/{organization_id}/events/{event_id}' };

export function getOrganizationEvent(api: Connection, organizationId: string, eventId: string, options: ConditionalOptions): Promise<Tagged<OrganizationEvent> | 'not modified'>;
export function getOrganizationEvent(api: Connection, organizationId: string, eventId: string, options?: RequestOptions): Promise<Tagged<OrganizationEvent>>;
export function getOrganizationEvent(api: Connection, organizationId: string, eventId: string, options?: RequestOptions) {
  return api.sendIfModified(request, { ...options, ids: [organizationId, eventId] });
}
