import type { events } from '../db/schema.ts';
import type { Event } from './schemas.ts';

type EventRow = typeof events.$inferSelect;

/** The public form of an event; its status is derived from the clock (contract section 3.1). */
export const toEvent = (row: EventRow, now: Date): Event => ({
  id: row.id,
  name: row.name,
  event_date: row.event_date.toISOString(),
  status: eventStatus(row, now),
  city: row.city,
});

function eventStatus(event: EventRow, now: Date): Event['status'] {
  const { registration_opens_at: opensAt, registration_closes_at: closesAt } = event;
  if (!event.is_active) return 'inactive';
  if (event.event_date < now) return 'past';
  if (opensAt && now < opensAt) return 'scheduled';
  if (closesAt && now > closesAt) return 'closed';
  return 'open';
}
