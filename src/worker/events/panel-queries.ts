import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RANKING_RULES } from '../../timing-files/read/ranking-rule.ts';
import { managedOrganizationId, memberUserId } from '../auth/panel/queries.ts';
import { BATCH_RUNNERS, batchRunners, IS_SWAP } from '../db/batch-runners.ts';
import { boardCodeOf, boardOf, codeText, prizesOf, ruleOf } from '../db/settings.ts';
import { BATCH_SOURCES, BOARD_NAMES, isoText, latestFirst, PRIZES } from '../db/sql.ts';
import {
  command,
  listStatement,
  type OfEvent,
  type RowSchema,
  type Slot,
  type Slots,
  statement,
} from '../db/statement.ts';
import type { OrganizationEvent } from './panel-answer-schemas.ts';
import type { EventBoardIn } from './panel-schemas.ts';
import { EVENT_ORDER, eventColumns, eventRow } from './queries.ts';

type OfCode = { code: string };

const IS_OWN = sql`organization_id = ${managedOrganizationId}`;

/** SQL for the event's id; null unless the calling user manages the event's organization. */
export const managedEventId = (eventId: Slot): SQL =>
  sql`(select id from events where id = ${eventId} and ${IS_OWN})`;

/** The target of a write in the panel. @param key the id and the prefix of the key in the record of the write */
export const managedTarget =
  (key = { id: sql`null::uuid`, prefix: sql`null::text` }) =>
  (eventId: Slot): SQL =>
    sql`
      select id as event_id, ${key.id} as api_key_id, ${key.prefix} as key_prefix
      from events where id = ${eventId} and ${IS_OWN} for key share`;

/** The name of an event; no row if the organization has no such event. */
export const findManagedEvent = statement(
  'findManagedEvent',
  () => z.strictObject({ name: z.string() }),
  ({ eventId }: Slots<OfEvent>) => sql`
  select name from events where id = ${eventId} and ${IS_OWN}`,
);

const organizationEventRow = () =>
  z.extend(eventRow(), {
    time_zone: z.nullable(z.string()),
    first_start_at: z.nullable(z.string()),
    board_enabled: z.boolean(),
    board_names: z.enum(BOARD_NAMES),
    board_code: z.nullable(z.string()),
    paid_inscriptions: z.int(),
    total_results: z.int(),
    ranking_rule: z.enum(RANKING_RULES),
    prizes: z.enum(PRIZES),
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

const EVENT_ID = sql`events.id`;

/** The columns of an event, and counts that come from indexes alone. */
const columns = (): SQL => sql`
  ${eventColumns()}, time_zone,
  (select ${isoText(sql`min(starts_at)`)} from event_starts where event_id = events.id) as first_start_at,
  ${boardOf.isEnabled(EVENT_ID)} as board_enabled,
  ${boardOf.names(EVENT_ID)} as board_names, ${boardCodeOf(EVENT_ID)} as board_code,
  (
    select count(*)::int from registrations where event_id = events.id and status = 'PAID'
  ) as paid_inscriptions,
  (select count(*)::int from results where event_id = events.id) as total_results,
  ${ruleOf(EVENT_ID)} as ranking_rule, ${prizesOf(EVENT_ID)} as prizes,
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
  'findOrganizationEvent',
  organizationEventRow,
  ({ eventId }: Slots<OfEvent>) => sql`
  select ${columns()} from events where id = ${eventId} and ${IS_OWN}`,
);

export const listOrganizationEvents = listStatement(
  'listOrganizationEvents',
  organizationEventRow,
  () => ({
    columns: columns(),
    table: 'events',
    where: IS_OWN,
    order: EVENT_ORDER,
  }),
);

/**
 * Makes the row of the event's settings, if the organization has such an event. The change follows in a second
 * statement: so of two first changes at once, the second change sees the first change.
 */
export const makeSettings = command(
  'makeEventSettings',
  ({ eventId }: Slots<OfEvent>) => sql`
  insert into event_settings (event_id) select id from events where id = ${eventId} and ${IS_OWN}
  on conflict do nothing`,
);

/** A code, unless a board has the code already. */
const unusedCode = (code: Slot): SQL =>
  sql`(select ${code}::text where not exists (select from event_settings where board_code = ${code}))`;

/**
 * Sets the sent fields of the board, if the organization has such an event, and records who changed which field. A
 * board that is switched on for the first time gets its short address.
 */
export const updateEventBoard = command(
  'updateEventBoard',
  ({ eventId, board_enabled, board_names, code }: Slots<EventBoardIn & OfEvent & OfCode>) => sql`
  with before as materialized (
    select event_id, board_enabled, board_names from event_settings
    where event_id = ${managedEventId(eventId)} for no key update
  ),
  changed as (
    update event_settings setting set
      -- A column set to itself keeps its value.
      board_enabled = ${board_enabled ?? sql`setting.board_enabled`},
      board_names = ${board_names ?? sql`setting.board_names`},
      board_code = coalesce(setting.board_code, case when ${board_enabled ?? sql`false`} then ${unusedCode(code)} end)
    from before where setting.event_id = before.event_id
    returning before.*, setting.board_enabled as is_enabled, setting.board_names as names
  )
  insert into event_changes (event_id, kind, before, after, user_id)
  select event_id, kind, was, is_now, ${memberUserId}::text
  from changed cross join lateral (
    values ('board_enabled', board_enabled::text, is_enabled::text), ('board_names', board_names, names)
  ) setting (kind, was, is_now)
  where was <> is_now`,
  { board_enabled: true, board_names: true },
);

/** Gives the board of an event a new short address, and records the user. A code of another board changes nothing. */
export const renewBoardCode = command(
  'renewBoardCode',
  ({ eventId, code }: Slots<OfEvent & OfCode>) => sql`
  with before as materialized (
    select event_id, board_code, ${unusedCode(code)} as code from event_settings
    where event_id = ${managedEventId(eventId)} for no key update
  ),
  changed as (
    update event_settings setting set board_code = before.code
    from before where setting.event_id = before.event_id and before.code is not null
    returning before.*
  )
  insert into event_changes (event_id, kind, before, after, user_id)
  select event_id, 'board_code', ${codeText(sql`board_code`)}, ${codeText(sql`code`)}, ${memberUserId}::text
  from changed`,
);
