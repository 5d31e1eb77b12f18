import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { callerEventId, callerOrganizationId, IS_CALLER, ownRow } from '../auth/api-key/queries.ts';
import type { events } from '../db/schema.ts';
import { columnsOf, fieldsOf, instants } from '../db/sql.ts';
import {
  listStatement,
  type OfEvent,
  type RowSchema,
  type Slot,
  type Slots,
} from '../db/statement.ts';
import type { Event } from './answer-schemas.ts';

/**
 * Whether the caller may see an event: the organization is the key's and, if the key is for a single event, so is the
 * event.
 */
const isOf = (key: { organizationId: SQL; eventId: SQL }): SQL =>
  sql`events.organization_id = ${key.organizationId} and events.id = coalesce(${key.eventId}, events.id)`;

const IS_OWN = isOf({ organizationId: callerOrganizationId, eventId: callerEventId });

/**
 * SQL for the event's id; null unless the event is the caller's. Every query for data of an event takes the id from
 * here, so Postgres keeps organizations, and keys for a single event, apart.
 */
export const ownEventId = (eventId: Slot): SQL =>
  sql`(select id from events where id = ${eventId} and ${IS_OWN})`;

/** The target of a write with a key. */
export const ownTarget = (eventId: Slot): SQL => sql`
      select events.id as event_id, api_keys.id as api_key_id, key_prefix
      from events join api_keys
        on ${isOf({ organizationId: sql`api_keys.organization_id`, eventId: sql`api_keys.event_id` })}
      where events.id = ${eventId} and ${IS_CALLER} for key share`;

/** The columns behind the public form of an event. */
export const eventRow = () =>
  z.strictObject({
    id: z.guid(),
    name: z.string(),
    event_date: z.string(),
    city: z.string(),
    registration_opens_at: z.nullable(z.string()),
    registration_closes_at: z.nullable(z.string()),
    is_active: z.boolean(),
  });

eventRow satisfies RowSchema<Omit<Event, 'status'>>;

export type EventRow = z.output<ReturnType<typeof eventRow>>;

const INSTANTS = {
  event_date: true,
  registration_opens_at: true,
  registration_closes_at: true,
} as const;

/** The columns of `eventRow`. */
export const eventColumns =
  (): SQL => sql`${columnsOf<typeof events>(...fieldsOf(z.omit(eventRow(), INSTANTS)))},
  ${instants(...Object.keys(INSTANTS))}`;

export const findEvent = ownRow(
  'findEvent',
  eventRow,
  ({ eventId }: Slots<OfEvent>, key) => sql`
  select ${eventColumns()} from events where id = ${eventId} and ${isOf(key)}`,
);

export const EVENT_ORDER = sql`events.event_date desc, id`;

export const listEvents = listStatement('listEvents', eventRow, () => ({
  columns: eventColumns(),
  table: 'events',
  where: IS_OWN,
  order: EVENT_ORDER,
}));
