import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../auth/api-key/require-scope.ts';
import { events } from '../db/schema.ts';
import { limits, type PageQuery } from '../http/pagination.ts';

const own = ({ organizationId }: Caller) => eq(events.organization_id, organizationId);

const ownEvent = (caller: Caller, eventId: string) => and(eq(events.id, eventId), own(caller));

/**
 * SQL for the event's id; null unless the caller's organization owns the event. Every query for data of
 * an event takes the id from here, so Postgres itself keeps organizations apart.
 */
export const ownEventId = (caller: Caller, eventId: string): SQL =>
  sql`${caller.db.select({ id: events.id }).from(events).where(ownEvent(caller, eventId))}`;

export const findEvent = (caller: Caller, eventId: string) =>
  caller.db.select().from(events).where(ownEvent(caller, eventId));

export const countEvents = (caller: Caller) =>
  caller.db.select({ total: count() }).from(events).where(own(caller));

export const listEvents = (caller: Caller, page: PageQuery) => {
  const { limit, offset } = limits(page);
  return caller.db
    .select()
    .from(events)
    .where(own(caller))
    .orderBy(desc(events.event_date), events.id)
    .limit(limit)
    .offset(offset);
};
