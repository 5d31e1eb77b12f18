import { and, count, desc, eq, sql } from 'drizzle-orm';
import type { Member } from '../auth/panel/require-manager.ts';
import { events } from '../db/schema.ts';
import { limits, type PageQuery } from '../http/pagination.ts';
import type { EventBoardIn } from './panel-schemas.ts';

const own = ({ organizationId }: Member) => eq(events.organization_id, organizationId);

export const countOrganizationEvents = (member: Member) =>
  member.db.select({ total: count() }).from(events).where(own(member));

export const listOrganizationEvents = (member: Member, page: PageQuery) => {
  const { limit, offset } = limits(page);
  return member.db
    .select()
    .from(events)
    .where(own(member))
    .orderBy(desc(events.event_date), events.id)
    .limit(limit)
    .offset(offset);
};

/** Sets the switches that are sent. Returns one row, or none if the organization has no such event. */
export const updateEventBoard = (member: Member, eventId: string, switches: EventBoardIn) =>
  member.db
    .update(events)
    .set({
      // A column set to itself keeps its value.
      board_enabled: switches.board_enabled ?? sql`${events.board_enabled}`,
      board_shows_names: switches.board_shows_names ?? sql`${events.board_shows_names}`,
    })
    .where(and(eq(events.id, eventId), own(member)))
    .returning();
