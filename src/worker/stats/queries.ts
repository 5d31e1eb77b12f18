import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type OfEvent, type Slots, statement, total } from '../db/statement.ts';
import { ownEventId } from '../events/queries.ts';

const DIMENSIONS = ['status', 'distance', 'category', 'kit_status', 'gender'] as const;

const bucket = () =>
  z.strictObject({ dimension: z.enum(DIMENSIONS), value: z.string(), count: z.int() });

export type Bucket = z.output<ReturnType<typeof bucket>>;

/**
 * Registrations by each dimension. A single scan of `registrations_by_bucket` makes a few groups of equal
 * registrations. Their counts are then summed for each dimension.
 */
export const countBuckets = statement('countBuckets', bucket, ({ eventId }: Slots<OfEvent>) => {
  const columns = sql.raw(DIMENSIONS.join(', '));
  return sql`
  with groups as (
    select ${columns}, count(*) as count from registrations
    where event_id = ${ownEventId(eventId)} group by ${columns}
  )
  select dimension, value, sum(count)::int as count
  from groups
  cross join lateral (
    values ${sql.raw(DIMENSIONS.map((name) => `('${name}', ${name})`).join(', '))}
  ) as bucket (dimension, value)
  where value is not null
  group by dimension, value
  order by dimension, value collate "C"`;
});

/** Distinct persons. The order makes Postgres walk `registrations_by_person` instead of hashing every person. */
export const countPersons = statement(
  'countPersons',
  total,
  ({ eventId }: Slots<OfEvent>) => sql`
  select count(*)::int as total from (
    select from registrations where event_id = ${ownEventId(eventId)}
    group by person_id order by person_id
  ) persons`,
);
