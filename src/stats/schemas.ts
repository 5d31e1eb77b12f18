import * as z from 'zod';

const Count = z
  .int()
  .min(0)
  .meta({ description: 'Registrations.', examples: [120] });
const BucketName = z.string().meta({ description: 'What they have in common.', examples: ['10K'] });
const Counts = z.record(z.string(), Count);

/** Figures of an event (contract section 2); every `by_*` counts registrations in all states. */
export const EventStats = z
  .object({
    event_id: z.guid().meta({
      description: 'Id of the event.',
      examples: ['e0000000-0000-4000-8000-000000000001'],
    }),
    total_inscriptions: z
      .int()
      .min(0)
      .meta({ description: 'Registrations in any state.', examples: [300] }),
    paid_inscriptions: z
      .int()
      .min(0)
      .meta({ description: 'Registrations that are paid and not cancelled.', examples: [270] }),
    total_participants: z
      .int()
      .min(0)
      .meta({ description: 'Distinct persons among all registrations.', examples: [296] }),
    by_status: Counts.meta({
      description: 'Registrations by their status.',
      examples: [{ CANCELLED: 10, PAID: 270, PENDING: 20 }],
    }),
    by_distance: z.array(z.object({ distance: BucketName, count: Count })).meta({
      description: 'Registrations by distance, sorted by it.',
      examples: [
        [
          { distance: '10K', count: 120 },
          { distance: '21K', count: 180 },
        ],
      ],
    }),
    by_category: z.array(z.object({ category: BucketName, count: Count })).meta({
      description: 'Registrations by category, sorted by it.',
      examples: [
        [
          { category: 'M40', count: 110 },
          { category: 'Open', count: 190 },
        ],
      ],
    }),
    by_kit_status: Counts.meta({
      description: 'Registrations by the state of their race kit.',
      examples: [{ DELIVERED: 40, PENDING: 200, READY: 60 }],
    }),
    by_gender: Counts.meta({
      description: 'Registrations by gender.',
      examples: [{ F: 140, M: 155 }],
    }),
  })
  .meta({
    id: 'EventStats',
    description:
      'Figures of an event. The breakdowns count registrations in every state; one that lacks ' +
      'the datum is in the totals and in no part of its breakdown.',
  });

export type EventStats = z.infer<typeof EventStats>;
