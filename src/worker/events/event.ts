import type { Event } from './answer-schemas.ts';
import type { OrganizationEvent } from './panel-answer-schemas.ts';
import type { OrganizationEventRow } from './panel-queries.ts';
import type { EventRow } from './queries.ts';

/** The public form of an event. Its status depends on `now`. */
export const toEvent = (row: EventRow, now: Date): Event => ({
  id: row.id,
  name: row.name,
  event_date: row.event_date.toISOString(),
  status: eventStatus(row, now),
  city: row.city,
});

/** The panel's form of an event. */
export const toOrganizationEvent = (
  { latest_batch, ...row }: OrganizationEventRow,
  now: Date,
): OrganizationEvent => ({
  ...toEvent(row, now),
  board_enabled: row.board_enabled,
  board_shows_names: row.board_shows_names,
  paid_inscriptions: row.paid_inscriptions,
  total_results: row.total_results,
  latest_batch: latest_batch && {
    source: latest_batch.source,
    file_name: latest_batch.file_name,
    total_processed: latest_batch.total_processed,
    received_at: new Date(latest_batch.received_at_ms).toISOString(),
  },
});

function eventStatus(event: EventRow, now: Date): Event['status'] {
  const { registration_opens_at: opensAt, registration_closes_at: closesAt } = event;
  if (!event.is_active) return 'inactive';
  if (event.event_date < now) return 'past';
  if (opensAt && now < opensAt) return 'scheduled';
  if (closesAt && now > closesAt) return 'closed';
  return 'open';
}
