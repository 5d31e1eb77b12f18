import type { Operation } from '../http/documentation.ts';
import { PageQuery } from '../http/pagination.ts';
import { Event } from './answer-schemas.ts';

export const eventOperations: readonly Operation[] = [
  {
    id: 'listEvents',
    method: 'get',
    path: '/public/v1/events',
    scope: 'events:read',
    tag: 'Events',
    summary: 'List events',
    description: "Lists your organization's events, latest event date first.",
    query: PageQuery,
    answer: { status: 200, description: 'A page of events.', listOf: Event },
  },
  {
    id: 'getEvent',
    method: 'get',
    path: '/public/v1/events/{event_id}',
    scope: 'events:read',
    tag: 'Events',
    summary: 'Read an event',
    description: 'Returns one event.',
    answer: { status: 200, description: 'The event.', schema: Event },
  },
];
