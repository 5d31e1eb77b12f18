import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RANKING_RULES } from '../../timing-files/read/ranking-rule.ts';
import { managedOrganizationId, memberUserId } from '../auth/panel/queries.ts';
import { BATCH_RUNNERS, batchRunners, IS_SWAP } from '../db/batch-runners.ts';
import { RANK_BY } from '../db/places.ts';
import { BATCH_SOURCES, isoText, latestFirst } from '../db/sql.ts';
import {
  command,
  listStatement,
  type RowSchema,
  type Slot,
  type Slots,
  statement,
} from '../db/statement.ts';
import type { OrganizationEvent } from './panel-answer-schemas.ts';
import type { EventBoardIn } from './panel-schemas.ts';
import { EVENT_ORDER, eventColumns, eventRow } from './queries.ts';

type OfEvent = { eventId: string };

const IS_OWN = sql`organization_id = ${managedOrganizationId}`;

/** SQL for the event's id; null unless the calling user manages the organization that owns it. */
export const managedEventId = (eventId: Slot): SQL =>
  sql`(select id from events where id = ${eventId} and ${IS_OWN})`;

/** The target of a write in the panel. @param key the id and the prefix of the key that it is recorded with */
export const managedTarget =
  (key = { id: sql`null::uuid`, prefix: sql`null::text` }) =>
  (eventId: Slot): SQL =>
    sql`
      select id as event_id, ${key.id} as api_key_id, ${key.prefix} as key_prefix
      from events where id = ${eventId} and ${IS_OWN} for key share`;

/** The name of an event; no row if the organization has no such event. */
export const findManagedEvent = statement(
  () => z.strictObject({ name: z.string() }),
  ({ eventId }: Slots<OfEvent>) => sql`
  select name from events where id = ${eventId} and ${IS_OWN}`,
);

const organizationEventRow = () =>
  z.extend(eventRow(), {
    time_zone: z.nullable(z.string()),
    board_enabled: z.boolean(),
    board_shows_names: z.boolean(),
    paid_inscriptions: z.int(),
    total_results: z.int(),
    ranking_rule: z.enum(RANKING_RULES),
    latest_batch: z.nullable(
      z.strictObject({
        source: z.enum(BATCH_SOURCES),
        user_id: z.nullable(z.string()),
        file_name: z.nullable(z.string()),
        total_processed: z.int(),
        received_at: z.string(),
        runners: batchRunners(),
        is_swap: z.boolean(),
      }),
    ),
    latest_change_at: z.nullable(z.string()),
  });

organizationEventRow satisfies RowSchema<Omit<OrganizationEvent, 'status'>>;

/** The columns of an event and counts of what it has, which come from indexes alone. */
const columns = (): SQL => sql`
  ${eventColumns()}, time_zone, board_enabled, board_shows_names,
  (
    select count(*)::int from registrations where event_id = events.id and status = 'PAID'
  ) as paid_inscriptions,
  (select count(*)::int from results where event_id = events.id) as total_results,
  ${RANK_BY} as ranking_rule,
  (
    select json_build_object('source', source, 'user_id', user_id, 'file_name', file_name,
      'total_processed', total_processed, 'received_at', ${isoText(sql`received_at`)}, 'runners', ${BATCH_RUNNERS},
      'is_swap', ${IS_SWAP})
    from result_batches where event_id = events.id
    order by ${latestFirst('result_batches')} limit 1
  ) as latest_batch,
  (
    select ${isoText(sql`changed_at`)} from event_changes where event_id = events.id
    order by event_changes.id desc limit 1
  ) as latest_change_at`;

export const findOrganizationEvent = statement(
  organizationEventRow,
  ({ eventId }: Slots<OfEvent>) => sql`
  select ${columns()} from events where id = ${eventId} and ${IS_OWN}`,
);

export const listOrganizationEvents = listStatement(organizationEventRow, () => ({
  columns: columns(),
  table: sql`events`,
  where: IS_OWN,
  order: EVENT_ORDER,
}));

/** Sets the switches that are sent, if the organization has such an event, and records who moved which. */
export const updateEventBoard = command(
  ({ eventId, board_enabled, board_shows_names }: Slots<EventBoardIn & OfEvent>) => sql`
  with before as materialized (
    select id, board_enabled, board_shows_names from events
    where id = ${eventId} and ${IS_OWN} for no key update
  ),
  changed as (
    update events set
      -- A column set to itself keeps its value.
      board_enabled = ${board_enabled ?? sql`events.board_enabled`},
      board_shows_names = ${board_shows_names ?? sql`events.board_shows_names`}
    from before where events.id = before.id
    returning before.*, events.board_enabled as is_enabled, events.board_shows_names as shows_names
  )
  insert into event_changes (event_id, kind, before, after, user_id)
  select id, kind, was::text, is_now::text, ${memberUserId}::text
  from changed cross join lateral (
    values ('board_enabled', board_enabled, is_enabled),
      ('board_shows_names', board_shows_names, shows_names)
  ) switch (kind, was, is_now)
  where was <> is_now`,
);
