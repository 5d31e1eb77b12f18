import * as z from 'zod';
import { RANKING_RULES } from '../../timing-files/read/ranking-rule.ts';
import { field, id, instant, text, textOrNull } from '../http/answer-schemas.ts';

export const Event = z
  .object({
    id: id('Id of the event.', 'e0000000-0000-4000-8000-000000000001'),
    name: text('Name of the event.', 'Harbour Half 2027'),
    event_date: instant('Date and time of the event, in UTC.', '2027-05-09T12:30:00.000Z'),
    status: field(
      z.enum(['open', 'scheduled', 'closed', 'past', 'inactive']),
      'Current status. `open`: registration is open. `scheduled`: registration is not yet open. ' +
        '`closed`: registration is over. `past`: the event has happened. `inactive`: the event is ' +
        'inactive.',
      'open',
    ),
    city: text('City of the event.', 'Port Example'),
  })
  .meta({ id: 'Event', description: 'A sporting event of the organization.' });

export type Event = z.infer<typeof Event>;

export const timeZone = textOrNull(
  'The IANA time zone of the event’s place, as the organization wrote the zone.',
  'America/Santiago',
);

/** The rule by which an event ranks. */
export const rankBy = field(
  z.enum(RANKING_RULES),
  'The rule that `position_distance`, `position_distance_gender` and `position_distance_category` follow, and ' +
    'the order of lists. `chip`: by chip time. `gun`: by gun time. `gun_overall`: by gun time, and within the ' +
    'category by chip time. Without a chip time, a runner is ranked by gun time, and vice versa.',
  'chip',
);

const bibOrNull = (description: string, example: number) =>
  field(z.int().min(0).nullable(), description, example);

export const EventStart = z
  .object({
    name: text('Name of the start.', 'Wave B'),
    distance: textOrNull('The distance. Null: runners of any distance.', '10K'),
    bib_from: bibOrNull('The first bib of the start. Null: any bib.', 500),
    bib_to: bibOrNull('The last bib of the start. Null: any bib.', 999),
    starts_at: field(
      z.iso.datetime({ offset: true }),
      'When the gun of this start goes off, with the offset from UTC with which it was told.',
      '2027-05-09T09:05:00.000+02:00',
    ),
  })
  .meta({
    id: 'EventStart',
    description: 'The gun of a distance, of a wave of bibs, or of all runners.',
  });

export type EventStart = z.infer<typeof EventStart>;

export const starts = z.array(EventStart).meta({
  description:
    'The starts in the order in which they were told. A start with distance and bibs claims a runner first, then one ' +
    'with bibs, then one with a distance, then the start of all runners. Empty: no start was told.',
});
