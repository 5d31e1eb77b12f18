import * as z from 'zod';

/** An event as the contract's section 2 shows it. */
export const Event = z.object({
  id: z.guid(),
  name: z.string(),
  event_date: z.iso.datetime(),
  status: z.enum(['open', 'scheduled', 'closed', 'past', 'inactive']),
  city: z.string(),
});

export type Event = z.infer<typeof Event>;
