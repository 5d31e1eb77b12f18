import type { ProseOf } from '../http/documentation.ts';
import { EventStats } from './answer-schemas.ts';
import type { statsRoutes } from './routes.ts';

export const statsProse: ProseOf<typeof statsRoutes> = {
  getEventStats: {
    tag: 'Statistics',
    summary: 'Read event statistics',
    description:
      'Counts the registrations and persons of an event. It also counts the registrations by status, ' +
      'distance, category, kit status and gender.',
    answer: { status: 200, description: 'The statistics.', schema: EventStats },
  },
};
