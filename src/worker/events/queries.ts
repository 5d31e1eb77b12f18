import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { callerOrganizationId } from '../auth/api-key/queries.ts';
import { type Slot, type Slots, statement, total } from '../db/statement.ts';
import type { Limits } from '../http/pagination.ts';

const IS_OWN = sql`organization_id = ${callerOrganizationId}`;

/**
 * SQL for the event's id; null unless the caller's organization owns the event. Every query for data of
 * an event takes the id from here, so Postgres itself keeps organizations apart.
 */
export const ownEventId = (eventId: Slot): SQL =>
  sql`(select id from events where id = ${eventId} and ${IS_OWN})`;

/** The columns that the public form of an event is made of. */
export const eventRow = () =>
  z.strictObject({
    id: z.guid(),
    name: z.string(),
    event_date: z.date(),
    city: z.string(),
    registration_opens_at: z.nullable(z.date()),
    registration_closes_at: z.nullable(z.date()),
    is_active: z.boolean(),
  });

export type EventRow = z.output<ReturnType<typeof eventRow>>;

const EVENTS = sql`
  select id, name, event_date, city, registration_opens_at, registration_closes_at, is_active
  from events where ${IS_OWN}`;

export const findEvent = statement(
  eventRow,
  ({ eventId }: Slots<{ eventId: string }>) => sql`${EVENTS} and id = ${eventId}`,
);

export const countEvents = statement(
  total,
  () => sql`select count(*)::int as total from events where ${IS_OWN}`,
);

export const listEvents = statement(
  eventRow,
  ({ limit, offset }: Slots<Limits>) => sql`
  ${EVENTS} order by event_date desc, id limit ${limit} offset ${offset}`,
);
