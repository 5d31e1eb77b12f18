import * as z from 'zod';
import { RESULT_STATUSES } from '../db/schema.ts';
import { PageQuery } from '../http/pagination.ts';
import { EventPath, oneText, wanted } from '../http/validation.ts';

const position = (group: string, example: number) =>
  z
    .int()
    .min(1)
    .nullable()
    .meta({
      description: `Place among the finishers ${group}; equal times share one (1, 2, 2, 4).`,
      examples: [example],
    });

const raceTime = (description: string, example: string) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [example] });

const registered = (description: string, example: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${description}, as registered.`, examples: [example] });

/** A stored result as anybody may see it: who ran it is told by the bib alone. */
export const Result = z
  .object({
    bib_number: z
      .string()
      .nullable()
      .meta({ description: 'Null where the bib was taken away.', examples: ['17'] }),
    status: z
      .enum(RESULT_STATUSES)
      .meta({ description: 'How the race ended for the runner.', examples: ['FINISHED'] }),
    chip_time: raceTime('Start line to finish, `HH:MM:SS.mmm`.', '01:28:03.512'),
    gun_time: raceTime('Gun to finish, `HH:MM:SS.mmm`.', '01:28:40.000'),
    splits: z.record(z.string(), z.string()).meta({
      description: 'Time of each split by its name, `HH:MM:SS.mmm`.',
      examples: [{ 'Km 10': '00:41:50.000' }],
    }),
    gender: registered('Gender', 'F'),
    category: registered('Category', 'Open'),
    distance: registered('Distance', '21K'),
    position_overall: position('of the whole event', 12),
    position_gender: position('of the same gender in the whole event', 3),
    position_category: position('of the same category in the whole event', 2),
    position_distance: position(
      'of the same distance; in a list, only where it is filtered by distance',
      9,
    ),
    updated_at: z.iso.datetime().meta({
      description: 'When the result was last uploaded.',
      examples: ['2027-05-09T14:01:22.480Z'],
    }),
  })
  .meta({ id: 'Result', description: 'A result with its positions. It holds no personal data.' });

export type Result = z.infer<typeof Result>;

const status = oneText
  .toUpperCase()
  .transform((value) => (value === '' ? undefined : value))
  .pipe(z.enum(RESULT_STATUSES, { error: `expected ${RESULT_STATUSES.join(', ')}` }).optional())
  .optional()
  .meta({
    description: `One of ${RESULT_STATUSES.map((value) => `\`${value}\``).join(', ')}; lower case will do.`,
    pattern: `^\\s*(${RESULT_STATUSES.join('|')})?\\s*$`,
    examples: ['FINISHED'],
  });

/** All that are sent must match. */
export const ResultQuery = PageQuery.extend({
  gender: wanted('The gender, as registered.', 'F'),
  category: wanted('The category, as registered.', 'Open'),
  distance: wanted('The distance, as registered.', '21K'),
  status,
  bib: wanted('The whole bib number.', '17'),
});

export type ResultQuery = z.infer<typeof ResultQuery>;

/** What cannot be a bib is looked for as the blank one, which nobody has. */
export const ResultPath = EventPath.extend({ bib_number: oneText.catch('') });
