import * as z from 'zod';

/** An event as the contract's section 2 shows it. */
export const Event = z
  .object({
    id: z.guid().meta({
      description: 'Id of the event.',
      examples: ['e0000000-0000-4000-8000-000000000001'],
    }),
    name: z.string().meta({ description: 'Name of the event.', examples: ['Harbour Half 2027'] }),
    event_date: z.iso.datetime().meta({
      description: 'Day and time of the start, in UTC.',
      examples: ['2027-05-09T12:30:00.000Z'],
    }),
    status: z.enum(['open', 'scheduled', 'closed', 'past', 'inactive']).meta({
      description:
        'As of now: registration is `open`, not yet open (`scheduled`) or over (`closed`); the ' +
        'event has been (`past`) or was taken out of service (`inactive`).',
      examples: ['open'],
    }),
    city: z.string().meta({ description: 'Where it takes place.', examples: ['Port Example'] }),
  })
  .meta({ id: 'Event', description: 'A sporting event of the organization.' });

export type Event = z.infer<typeof Event>;
