import type { EventStats } from './answer-schemas.ts';
import type { Bucket } from './queries.ts';

/** @param buckets sorted by name within each dimension */
export function toEventStats(eventId: string, buckets: Bucket[], persons: number): EventStats {
  const of = (dimension: Bucket['dimension']) =>
    buckets.filter((bucket) => bucket.dimension === dimension);
  const counts = (dimension: Bucket['dimension']) =>
    Object.fromEntries(of(dimension).map(({ value, count }) => [value, count]));
  const statuses = of('status');
  return {
    event_id: eventId,
    total_inscriptions: statuses.reduce((sum, { count }) => sum + count, 0),
    paid_inscriptions: statuses.find(({ value }) => value === 'PAID')?.count ?? 0,
    total_participants: persons,
    by_status: counts('status'),
    by_distance: of('distance').map(({ value, count }) => ({ distance: value, count })),
    by_category: of('category').map(({ value, count }) => ({ category: value, count })),
    by_kit_status: counts('kit_status'),
    by_gender: counts('gender'),
  };
}
