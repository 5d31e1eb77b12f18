import * as z from 'zod/mini';

export const boardEnabled = z
  .boolean({ error: 'expected true or false' })
  .register(z.globalRegistry, {
    description: 'Whether everybody can open the live board of the event.',
    examples: [true],
  });

export const boardShowsNames = z
  .boolean({ error: 'expected true or false' })
  .register(z.globalRegistry, {
    description: 'Whether the board shows the given name and the initial of the surname.',
    examples: [false],
  });

/** The body of updateEventBoard. */
export const EventBoardIn = z
  .object(
    { board_enabled: z.optional(boardEnabled), board_shows_names: z.optional(boardShowsNames) },
    { error: 'expected an object with "board_enabled", "board_shows_names" or both' },
  )
  .register(z.globalRegistry, {
    id: 'EventBoardIn',
    description: 'The switches to change. A switch that is not sent keeps its position.',
  });

export type EventBoardIn = z.infer<typeof EventBoardIn>;
