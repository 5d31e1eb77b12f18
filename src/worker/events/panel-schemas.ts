import * as z from 'zod/mini';

const position = () => z.optional(z.boolean({ error: 'expected true or false' }));

/** The body of updateEventBoard. */
export const EventBoardIn = z.object(
  { board_enabled: position(), board_shows_names: position() },
  { error: 'expected an object with "board_enabled", "board_shows_names" or both' },
);

export type EventBoardIn = z.infer<typeof EventBoardIn>;
