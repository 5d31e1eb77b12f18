import * as z from 'zod';
import { count, field, id, textOrNull } from '../http/answer-schemas.ts';

/** A runner whose name the board of the event never shows. */
export const HiddenName = z
  .object({
    inscription_id: id(
      'Id of the registration. It stays when the bib changes.',
      'a0000000-0000-4000-8000-000000000017',
    ),
    bib_number: textOrNull('Bib number. Null if the registration has lost its bib.', '17'),
    given_names: textOrNull('Given names, as registered.', 'Ana'),
    surnames: textOrNull('Surnames, as registered.', 'Ejemplo'),
  })
  .meta({ id: 'HiddenName', description: 'A runner whose name the live board never shows.' });

export type HiddenName = z.infer<typeof HiddenName>;

/** A distance of an event, and whether the board never shows the names of its runners. */
export const BoardDistance = z
  .object({
    distance: field(z.string(), 'The distance.', '2K Kids'),
    runners: count('Registrations of the distance that are not cancelled.', 124),
    is_hidden: field(
      z.boolean(),
      'Whether the board never shows the names of these runners.',
      true,
    ),
  })
  .meta({ id: 'BoardDistance', description: 'A distance, and whether the board shows its names.' });

export type BoardDistance = z.infer<typeof BoardDistance>;
