import * as z from 'zod';
import { starts } from '../events/answer-schemas.ts';
import { count, field, text, textOrNull } from '../http/answer-schemas.ts';

const distance = textOrNull('The distance. Null: runners of any distance.', '10K');

const version = count(
  'The version. It rises with each change. A change names the version that it was made from.',
  3,
);

/** The answer of getEventStarts. */
export const EventStarts = z
  .object({ version, starts })
  .meta({ id: 'EventStarts', description: 'The starts of an event.' });

export type EventStarts = z.infer<typeof EventStarts>;

/** The answer of putEventStarts. */
export const EventStartsStored = z
  .object({
    version,
    starts,
    runners_without_start: count(
      'Registered runners, without the cancelled ones, whom no start claims.',
      0,
    ),
  })
  .meta({ id: 'EventStartsStored', description: 'The starts of an event after a change.' });

export type EventStartsStored = z.infer<typeof EventStartsStored>;

export const EventPoint = z
  .object({
    name: text('Name of the point, as passings have it.', 'Km 10'),
    distance,
    order: field(z.int().min(1), 'Place of the point on the course, from 1.', 2),
    km: field(
      z.number().positive().nullable(),
      'Kilometres from the start. Null if neither the organizer nor the name says it.',
      10,
    ),
  })
  .meta({ id: 'EventPoint', description: 'A timing point before the finish.' });

export type EventPoint = z.infer<typeof EventPoint>;

/** The answer of getEventPoints and putEventPoints. */
export const EventPoints = z
  .object({
    version,
    points: z.array(EventPoint).meta({
      description:
        'The points in the order of the course. Until somebody tells them, they are those that have passings, in the ' +
        'order of their fastest times, with the kilometres that their names say.',
    }),
  })
  .meta({ id: 'EventPoints', description: 'The timing points of an event.' });

export type EventPoints = z.infer<typeof EventPoints>;
