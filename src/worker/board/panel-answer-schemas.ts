import * as z from 'zod';
import { id, textOrNull } from '../http/answer-schemas.ts';

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
