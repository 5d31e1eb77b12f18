import type { Event } from './answer-schemas.ts';
import type { EventRow } from './queries.ts';

/** An event as the API answers: `status`, which depends on `now`, replaces the columns behind the status. */
export function toEvent<Row extends EventRow>(row: Row, now: Date) {
  const { registration_opens_at, registration_closes_at, is_active, ...event } = row;
  return { ...event, status: statusAt(now.toISOString(), row) };
}

/** Instants of the years 1 to 9999 in ISO 8601 are ordered as texts. */
function statusAt(now: string, event: EventRow): Event['status'] {
  const { registration_opens_at: opensAt, registration_closes_at: closesAt } = event;
  if (!event.is_active) return 'inactive';
  if (event.event_date < now) return 'past';
  if (opensAt && now < opensAt) return 'scheduled';
  if (closesAt && now > closesAt) return 'closed';
  return 'open';
}
