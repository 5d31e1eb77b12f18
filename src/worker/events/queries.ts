import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { callerOrganizationId } from '../auth/api-key/queries.ts';
import { listStatement, type Slot, type Slots, statement } from '../db/statement.ts';

const IS_OWN = sql`organization_id = ${callerOrganizationId}`;

/**
 * SQL for the event's id; null unless the caller's organization owns the event. Every query for data of
 * an event takes the id from here, so Postgres itself keeps organizations apart.
 */
export const ownEventId = (eventId: Slot): SQL =>
  sql`(select id from events where id = ${eventId} and ${IS_OWN})`;

/** The columns that the public form of an event is made of. */
const eventRow = () =>
  z.strictObject({
    id: z.guid(),
    name: z.string(),
    event_date: z.string(),
    city: z.string(),
    registration_opens_at: z.nullable(z.string()),
    registration_closes_at: z.nullable(z.string()),
    is_active: z.boolean(),
  });

export type EventRow = z.output<ReturnType<typeof eventRow>>;

const COLUMNS = sql`id, name, event_date, city, registration_opens_at, registration_closes_at, is_active`;

export const findEvent = statement(
  eventRow,
  ({ eventId }: Slots<{ eventId: string }>) => sql`
  select ${COLUMNS} from events where id = ${eventId} and ${IS_OWN}`,
);

export const listEvents = listStatement(eventRow, () => ({
  columns: COLUMNS,
  table: sql`events`,
  where: IS_OWN,
  order: sql`event_date desc, id`,
}));
