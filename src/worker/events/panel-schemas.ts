import * as z from 'zod/mini';
import { onlyFields } from '../http/validation.ts';
import { later } from '../later.ts';

const position = () => z.optional(z.boolean({ error: 'expected true or false' }));

/** The body of updateEventBoard. */
export const EventBoardIn = later(() =>
  onlyFields(
    { board_enabled: position(), board_shows_names: position() },
    'Send an object with "board_enabled", "board_shows_names" or both',
  ),
);

export type EventBoardIn = z.infer<ReturnType<typeof EventBoardIn>>;
