import * as z from 'zod/mini';
import { BOARD_NAMES } from '../db/sql.ts';
import { onlyFields } from '../http/validation.ts';
import { later } from '../later.ts';

/** The body of updateEventBoard. */
export const EventBoardIn = later(() =>
  onlyFields(
    {
      board_enabled: z.optional(z.boolean({ error: 'expected true or false' })),
      board_names: z.optional(
        z.enum(BOARD_NAMES, { error: `expected one of ${BOARD_NAMES.join(', ')}` }),
      ),
    },
    'Send an object with "board_enabled", "board_names" or both',
  ),
);

export type EventBoardIn = z.infer<ReturnType<typeof EventBoardIn>>;
