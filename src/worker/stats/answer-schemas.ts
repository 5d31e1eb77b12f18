import * as z from 'zod';

const Count = z
  .int()
  .min(0)
  .meta({ description: 'Number of registrations.', examples: [120] });
const BucketName = z.string().meta({ description: 'Name of the group.', examples: ['10K'] });
const Counts = z.record(z.string(), Count);

/** The answer of getEventStats. Every `by_*` counts registrations in all states. */
export const EventStats = z
  .object({
    event_id: z.guid().meta({
      description: 'Id of the event.',
      examples: ['e0000000-0000-4000-8000-000000000001'],
    }),
    total_inscriptions: z
      .int()
      .min(0)
      .meta({ description: 'Registrations in any status.', examples: [300] }),
    paid_inscriptions: z
      .int()
      .min(0)
      .meta({ description: 'Registrations that are paid and not cancelled.', examples: [270] }),
    total_participants: z
      .int()
      .min(0)
      .meta({ description: 'Distinct persons in all registrations.', examples: [296] }),
    by_status: Counts.meta({
      description: 'Registrations by status.',
      examples: [{ CANCELLED: 10, PAID: 270, PENDING: 20 }],
    }),
    by_distance: z.array(z.object({ distance: BucketName, count: Count })).meta({
      description: 'Registrations by distance, sorted by name.',
      examples: [
        [
          { distance: '10K', count: 120 },
          { distance: '21K', count: 180 },
        ],
      ],
    }),
    by_category: z.array(z.object({ category: BucketName, count: Count })).meta({
      description: 'Registrations by category, sorted by name.',
      examples: [
        [
          { category: 'M40', count: 110 },
          { category: 'Open', count: 190 },
        ],
      ],
    }),
    by_kit_status: Counts.meta({
      description: 'Registrations by kit status.',
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
      'Statistics of an event. Each `by_*` field counts registrations in every status. A ' +
      'registration without a distance, for example, is in the totals but not in `by_distance`.',
  });

export type EventStats = z.infer<typeof EventStats>;
