import * as z from 'zod';
import { count, field, id, text } from '../http/answer-schemas.ts';

const Count = count('Number of registrations.', 120);
const BucketName = text('Name of the group.', '10K');
const Counts = z.record(z.string(), Count);

/** The answer of getEventStats. Every `by_*` counts registrations in all states. */
export const EventStats = z
  .object({
    event_id: id('Id of the event.', 'e0000000-0000-4000-8000-000000000001'),
    total_inscriptions: count('Registrations in any status.', 300),
    paid_inscriptions: count('Registrations that are paid and not cancelled.', 270),
    total_participants: count('Distinct persons in all registrations.', 296),
    by_status: field(Counts, 'Registrations by status.', { CANCELLED: 10, PAID: 270, PENDING: 20 }),
    by_distance: field(
      z.array(z.object({ distance: BucketName, count: Count })),
      'Registrations by distance, sorted by name.',
      [
        { distance: '10K', count: 120 },
        { distance: '21K', count: 180 },
      ],
    ),
    by_category: field(
      z.array(z.object({ category: BucketName, count: Count })),
      'Registrations by category, sorted by name.',
      [
        { category: 'M40', count: 110 },
        { category: 'Open', count: 190 },
      ],
    ),
    by_kit_status: field(Counts, 'Registrations by kit status.', {
      DELIVERED: 40,
      PENDING: 200,
      READY: 60,
    }),
    by_gender: field(Counts, 'Registrations by gender.', { F: 140, M: 155 }),
  })
  .meta({
    id: 'EventStats',
    description:
      'Statistics of an event. Each `by_*` field counts registrations in every status. A ' +
      'registration without a distance, for example, is in the totals but not in `by_distance`.',
  });

export type EventStats = z.infer<typeof EventStats>;
