import type * as z from 'zod';
import { Event } from './answer-schemas.ts';
import { boardEnabled, boardShowsNames } from './panel-schemas.ts';

/** An event as the panel shows it. */
export const OrganizationEvent = Event.extend({
  board_enabled: boardEnabled,
  board_shows_names: boardShowsNames,
}).meta({
  id: 'OrganizationEvent',
  description: 'An event of the organization with the switches of its live board.',
});

export type OrganizationEvent = z.infer<typeof OrganizationEvent>;
