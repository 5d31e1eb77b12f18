import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { callerOrganizationId } from '../auth/api-key/queries.ts';
import { db, rowCount } from '../db/query-builder.ts';
import { events } from '../db/schema.ts';
import { type Slot, type Slots, statement } from '../db/statement.ts';
import type { Limits } from '../http/pagination.ts';

const isOwn = eq(events.organization_id, callerOrganizationId);

const isOwnEvent = (eventId: Slot) => and(eq(events.id, eventId), isOwn);

/**
 * SQL for the event's id; null unless the caller's organization owns the event. Every query for data of
 * an event takes the id from here, so Postgres itself keeps organizations apart.
 */
export const ownEventId = (eventId: Slot): SQL =>
  sql`${db.select({ id: events.id }).from(events).where(isOwnEvent(eventId))}`;

export const findEvent = statement(({ eventId }: Slots<{ eventId: string }>) =>
  db.select().from(events).where(isOwnEvent(eventId)),
);

export const countEvents = statement(() =>
  db.select({ total: rowCount }).from(events).where(isOwn),
);

export const listEvents = statement(({ limit, offset }: Slots<Limits>) =>
  db
    .select()
    .from(events)
    .where(isOwn)
    .orderBy(desc(events.event_date), events.id)
    .limit(limit)
    .offset(offset),
);
