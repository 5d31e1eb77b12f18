import * as z from 'zod';

const Counts = z.record(z.string(), z.int());

/** Figures of an event (contract section 2); every `by_*` counts registrations in all states. */
export const EventStats = z.object({
  event_id: z.guid(),
  total_inscriptions: z.int(),
  paid_inscriptions: z.int(),
  total_participants: z.int(),
  by_status: Counts,
  by_distance: z.array(z.object({ distance: z.string(), count: z.int() })),
  by_category: z.array(z.object({ category: z.string(), count: z.int() })),
  by_kit_status: Counts,
  by_gender: Counts,
});

export type EventStats = z.infer<typeof EventStats>;
