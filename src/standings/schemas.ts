import * as z from 'zod';
import { RESULT_STATUSES } from '../db/schema.ts';
import { PageQuery } from '../http/pagination.ts';
import { EventPath } from '../http/validation.ts';

const position = (group: string) =>
  z
    .int()
    .min(1)
    .nullable()
    .meta({
      description: `Place among the finishers ${group}; equal times share one (1, 2, 2, 4).`,
    });

const raceTime = (description: string) => z.string().nullable().meta({ description });

/** A stored result as anybody may see it: who ran it is told by the bib alone. */
export const Result = z.object({
  bib_number: z.string().nullable().meta({ description: 'Null when the bib was taken away.' }),
  status: z.enum(RESULT_STATUSES).meta({ description: 'How the race ended for the runner.' }),
  chip_time: raceTime('Start line to finish, `HH:MM:SS.mmm`.'),
  gun_time: raceTime('Gun to finish, `HH:MM:SS.mmm`.'),
  splits: z
    .record(z.string(), z.string())
    .meta({ description: 'Time of each split by its name, `HH:MM:SS.mmm`.' }),
  gender: z.string().nullable().meta({ description: 'As registered.' }),
  category: z.string().nullable().meta({ description: 'As registered.' }),
  distance: z.string().nullable().meta({ description: 'As registered.' }),
  position_overall: position('of the whole event'),
  position_gender: position('of the same gender in the whole event'),
  position_category: position('of the same category in the whole event'),
  position_distance: position(
    'of the same distance; in a list, only where it is filtered by distance',
  ),
  updated_at: z.iso.datetime().meta({ description: 'When the result was last uploaded.' }),
});

export type Result = z.infer<typeof Result>;

/** Postgres cannot hold a NUL in a text. */
const text = z
  .string({ error: 'expected one value' })
  .trim()
  .refine((value) => !value.includes('\0'), { error: 'expected a text without NUL characters' });

/** An exact value to look for; blank counts as not sent. */
const wanted = text.transform((value) => (value === '' ? undefined : value)).optional();

const status = text
  .toUpperCase()
  .transform((value) => (value === '' ? undefined : value))
  .pipe(z.enum(RESULT_STATUSES, { error: `expected ${RESULT_STATUSES.join(', ')}` }).optional())
  .optional();

/** All that are sent must match. */
export const ResultQuery = PageQuery.extend({
  gender: wanted,
  category: wanted,
  distance: wanted,
  status,
  bib: wanted,
});

export type ResultQuery = z.infer<typeof ResultQuery>;

/** What cannot be a bib is looked for as the blank one, which nobody has. */
export const ResultPath = EventPath.extend({ bib_number: text.catch('') });
