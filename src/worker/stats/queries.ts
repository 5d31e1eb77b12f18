import { count, eq, isNotNull, sql } from 'drizzle-orm';
import type { Caller } from '../auth/api-key/require-scope.ts';
import { registrations } from '../db/schema.ts';
import { ownEventId } from '../events/queries.ts';

const { status, distance, category, kit_status, gender } = registrations;
const DIMENSIONS = { status, distance, category, kit_status, gender };

export type Dimension = keyof typeof DIMENSIONS;
export type Bucket = { dimension: Dimension; value: string; count: number };

/**
 * Registrations by each dimension. One scan of `registrations_by_bucket` makes a few groups of equal
 * registrations. Their counts are then summed for each dimension.
 */
export function countBuckets(caller: Caller, eventId: string) {
  const { db } = caller;
  const groups = db.$with('groups').as(
    db
      .select({ ...DIMENSIONS, count: sql<number>`count(*)`.as('count') })
      .from(registrations)
      .where(eq(registrations.event_id, ownEventId(caller, eventId)))
      .groupBy(...Object.values(DIMENSIONS)),
  );
  const dimension = sql<Dimension>`bucket.dimension`;
  const value = sql<string>`bucket.value`;
  return db
    .with(groups)
    .select({ dimension, value, count: sql`sum(${groups.count})`.mapWith(Number) })
    .from(groups)
    .crossJoinLateral(
      sql`(values
        ('status', ${groups.status}),
        ('distance', ${groups.distance}),
        ('category', ${groups.category}),
        ('kit_status', ${groups.kit_status}),
        ('gender', ${groups.gender})
      ) as bucket (dimension, value)`,
    )
    .where(isNotNull(value))
    .groupBy(dimension, value)
    .orderBy(dimension, sql`${value} collate "C"`);
}

export function countPersons(caller: Caller, eventId: string) {
  const { db } = caller;
  const persons = db
    .select({ id: registrations.person_id })
    .from(registrations)
    .where(eq(registrations.event_id, ownEventId(caller, eventId)))
    .groupBy(registrations.person_id)
    // The order makes Postgres walk `registrations_by_person` instead of hashing every person.
    .orderBy(registrations.person_id)
    .as('persons');
  return db.select({ total: count() }).from(persons);
}
