import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { managedOrganizationId } from '../auth/panel/queries.ts';
import { BATCH_SOURCES, epochMs } from '../db/sql.ts';
import { command, type Slot, type Slots, statement, total } from '../db/statement.ts';
import type { Limits } from '../http/pagination.ts';
import type { EventBoardIn } from './panel-schemas.ts';
import { eventRow } from './queries.ts';

type OfEvent = { eventId: string };

const IS_OWN = sql`organization_id = ${managedOrganizationId}`;

/** SQL for the event's id; null unless the calling user manages the organization that owns it. */
export const managedEventId = (eventId: Slot): SQL =>
  sql`(select id from events where id = ${eventId} and ${IS_OWN})`;

/** The name of an event; no row if the organization has no such event. */
export const findManagedEvent = statement(
  () => z.strictObject({ name: z.string() }),
  ({ eventId }: Slots<OfEvent>) => sql`
  select name from events where id = ${eventId} and ${IS_OWN}`,
);

export const countOrganizationEvents = statement(
  total,
  () => sql`select count(*)::int as total from events where ${IS_OWN}`,
);

const organizationEventRow = () =>
  z.extend(eventRow(), {
    board_enabled: z.boolean(),
    board_shows_names: z.boolean(),
    paid_inscriptions: z.int(),
    total_results: z.int(),
    latest_batch: z.nullable(
      z.strictObject({
        source: z.enum(BATCH_SOURCES),
        file_name: z.nullable(z.string()),
        total_processed: z.int(),
        received_at_ms: z.number(),
      }),
    ),
  });

export type OrganizationEventRow = z.output<ReturnType<typeof organizationEventRow>>;

/** Counts what these events have, from indexes alone. */
const withCounts = (events: SQL): SQL => sql`
  select id, name, event_date, city, registration_opens_at, registration_closes_at, is_active,
    board_enabled, board_shows_names,
    (
      select count(*)::int from registrations where event_id = event.id and status = 'PAID'
    ) as paid_inscriptions,
    (select count(*)::int from results where event_id = event.id) as total_results,
    (
      select json_build_object('source', source, 'file_name', file_name,
        'total_processed', total_processed, 'received_at_ms', ${epochMs(sql`received_at`)})
      from result_batches where event_id = event.id order by received_at desc, id desc limit 1
    ) as latest_batch
  from (${events}) event`;

export const findOrganizationEvent = statement(
  organizationEventRow,
  ({ eventId }: Slots<OfEvent>) =>
    withCounts(sql`select * from events where id = ${eventId} and ${IS_OWN}`),
);

/** A page of the events. Only the events of the page are counted. */
export const listOrganizationEvents = statement(
  organizationEventRow,
  ({ limit, offset }: Slots<Limits>) => sql`
  ${withCounts(sql`
    select * from events where ${IS_OWN} order by event_date desc, id
    limit ${limit} offset ${offset}`)}
  order by event_date desc, id`,
);

/** Sets the switches that are sent, if the organization has such an event. */
export const updateEventBoard = command(
  ({ eventId, board_enabled, board_shows_names }: Slots<EventBoardIn & OfEvent>) => sql`
  update events set
    -- A column set to itself keeps its value.
    board_enabled = ${board_enabled ?? sql`board_enabled`},
    board_shows_names = ${board_shows_names ?? sql`board_shows_names`}
  where id = ${eventId} and ${IS_OWN}`,
);
