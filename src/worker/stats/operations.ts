import type { Operation } from '../http/documentation.ts';
import { EventStats } from './answer-schemas.ts';

export const statsOperations: readonly Operation[] = [
  {
    id: 'getEventStats',
    method: 'get',
    path: '/public/v1/events/{event_id}/stats',
    scope: 'stats:read',
    tag: 'Statistics',
    summary: 'Read event statistics',
    description:
      'Counts the registrations and persons of an event. It also counts the registrations by status, ' +
      'distance, category, kit status and gender.',
    answer: { status: 200, description: 'The statistics.', schema: EventStats },
  },
];
