import type { ProseOf } from '../http/documentation.ts';
import { Event } from './answer-schemas.ts';
import type { eventRoutes } from './routes.ts';

export const eventProse: ProseOf<typeof eventRoutes> = {
  listEvents: {
    tag: 'Events',
    summary: 'List events',
    description: "Lists your organization's events, latest event date first.",
    answer: { status: 200, description: 'A page of events.', listOf: Event },
  },
  getEvent: {
    tag: 'Events',
    summary: 'Read an event',
    description: 'Returns one event.',
    answer: { status: 200, description: 'The event.', schema: Event },
  },
};
