import { eq, isNotNull, sql } from 'drizzle-orm';
import { db, rowCount } from '../db/query-builder.ts';
import { registrations } from '../db/schema.ts';
import { type Slots, statement } from '../db/statement.ts';
import { ownEventId } from '../events/queries.ts';

const { status, distance, category, kit_status, gender } = registrations;
const DIMENSIONS = { status, distance, category, kit_status, gender };

export type Dimension = keyof typeof DIMENSIONS;
export type Bucket = { dimension: Dimension; value: string; count: number };

/**
 * Registrations by each dimension. One scan of `registrations_by_bucket` makes a few groups of equal
 * registrations. Their counts are then summed for each dimension.
 */
export const countBuckets = statement(({ eventId }: Slots<{ eventId: string }>) => {
  const groups = db.$with('groups').as(
    db
      .select({ ...DIMENSIONS, count: sql<number>`count(*)`.as('count') })
      .from(registrations)
      .where(eq(registrations.event_id, ownEventId(eventId)))
      .groupBy(...Object.values(DIMENSIONS)),
  );
  const dimension = sql<Dimension>`bucket.dimension`;
  const value = sql<string>`bucket.value`;
  return db
    .with(groups)
    .select({ dimension, value, count: sql<number>`sum(${groups.count})::int` })
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
});

export const countPersons = statement(({ eventId }: Slots<{ eventId: string }>) => {
  const persons = db
    .select({ id: registrations.person_id })
    .from(registrations)
    .where(eq(registrations.event_id, ownEventId(eventId)))
    .groupBy(registrations.person_id)
    // The order makes Postgres walk `registrations_by_person` instead of hashing every person.
    .orderBy(registrations.person_id)
    .as('persons');
  return db.select({ total: rowCount }).from(persons);
});
