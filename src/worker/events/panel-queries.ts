import { and, desc, eq, sql } from 'drizzle-orm';
import { managedOrganizationId } from '../auth/panel/queries.ts';
import { db, rowCount } from '../db/query-builder.ts';
import { events } from '../db/schema.ts';
import { type Slots, statement } from '../db/statement.ts';
import type { Limits } from '../http/pagination.ts';
import type { EventBoardIn } from './panel-schemas.ts';

const isOwn = eq(events.organization_id, managedOrganizationId);

export const countOrganizationEvents = statement(() =>
  db.select({ total: rowCount }).from(events).where(isOwn),
);

export const listOrganizationEvents = statement(({ limit, offset }: Slots<Limits>) =>
  db
    .select()
    .from(events)
    .where(isOwn)
    .orderBy(desc(events.event_date), events.id)
    .limit(limit)
    .offset(offset),
);

/** Sets the switches that are sent. Returns one row, or none if the organization has no such event. */
export const updateEventBoard = statement(
  ({ eventId, board_enabled, board_shows_names }: Slots<EventBoardIn & { eventId: string }>) =>
    db
      .update(events)
      .set({
        // A column set to itself keeps its value.
        board_enabled: sql`${board_enabled ?? events.board_enabled}`,
        board_shows_names: sql`${board_shows_names ?? events.board_shows_names}`,
      })
      .where(and(eq(events.id, eventId), isOwn))
      .returning(),
);
