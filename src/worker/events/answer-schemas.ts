import * as z from 'zod';

export const Event = z
  .object({
    id: z.guid().meta({
      description: 'Id of the event.',
      examples: ['e0000000-0000-4000-8000-000000000001'],
    }),
    name: z.string().meta({ description: 'Name of the event.', examples: ['Harbour Half 2027'] }),
    event_date: z.iso.datetime().meta({
      description: 'Date and time of the event, in UTC.',
      examples: ['2027-05-09T12:30:00.000Z'],
    }),
    status: z.enum(['open', 'scheduled', 'closed', 'past', 'inactive']).meta({
      description:
        'Current status. `open`: registration is open. `scheduled`: registration is not yet open. ' +
        '`closed`: registration is over. `past`: the event has happened. `inactive`: the event is ' +
        'inactive.',
      examples: ['open'],
    }),
    city: z.string().meta({ description: 'City of the event.', examples: ['Port Example'] }),
  })
  .meta({ id: 'Event', description: 'A sporting event of the organization.' });

export type Event = z.infer<typeof Event>;
