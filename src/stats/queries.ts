import { count, eq, isNotNull, sql } from 'drizzle-orm';
import type { Caller } from '../caller/caller.ts';
import { registrations } from '../db/schema.ts';
import { ownEventId } from '../events/queries.ts';

export type Dimension = 'status' | 'distance' | 'category' | 'kit_status' | 'gender';
export type Bucket = { dimension: Dimension; value: string; count: number };

/**
 * One walk along `registrations_by_bucket`, where equal registrations stand together, into few
 * groups, which are then summed a dimension at a time.
 */
export function countBuckets(caller: Caller, eventId: string) {
  const { db } = caller;
  const groups = db.$with('groups').as(
    db
      .select({
        status: registrations.status,
        distance: registrations.distance,
        category: registrations.category,
        kit_status: registrations.kit_status,
        gender: registrations.gender,
        count: sql<number>`count(*)`.as('count'),
      })
      .from(registrations)
      .where(eq(registrations.event_id, ownEventId(caller, eventId)))
      .groupBy(
        registrations.status,
        registrations.distance,
        registrations.category,
        registrations.kit_status,
        registrations.gender,
      ),
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
    // In the order of their index, which is then walked: as a set they would all be hashed.
    .orderBy(registrations.person_id)
    .as('persons');
  return db.select({ total: count() }).from(persons);
}
