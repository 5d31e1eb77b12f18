import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { memberUserId } from '../auth/panel/queries.ts';
import { naturalOrder } from '../db/sql.ts';
import {
  type Limits,
  type OfEvent,
  PAGE_ROWS,
  pageOfRows,
  type RowSchema,
  type Slots,
  statement,
} from '../db/statement.ts';
import { managedEventId } from '../events/panel-queries.ts';
import type { BoardDistance } from './panel-answer-schemas.ts';
import { groupText } from './queries.ts';

type OfDistance = OfEvent & { distance: string };

const boardDistance = () =>
  z.strictObject({ distance: z.string(), runners: z.int(), is_hidden: z.boolean() });

boardDistance satisfies RowSchema<BoardDistance>;

/** The runners of each distance, as the CTE `counted`. */
const COUNTED = ({ eventId }: Slots<OfEvent>) => sql`
    counted as materialized (
      select ${groupText(sql`distance`)} as distance, count(*) filter (where status <> 'CANCELLED')::int as runners
      from registrations where event_id = ${managedEventId(eventId)} and distance <> '' group by 1
    )`;

/**
 * The distances of an event, and the hidden distances without runners; no row if the organization has no such event.
 */
export const listHiddenDistances = statement(
  'listHiddenDistances',
  () => pageOfRows(boardDistance()),
  ({ limit, offset, ...slots }: Slots<OfEvent & Limits>) => sql`
    with owner as materialized (select where ${managedEventId(slots.eventId)} is not null),
    ${COUNTED(slots)},
    hidden as (
      select unnest(board_hidden_distances) as distance from event_settings
      where event_id = ${managedEventId(slots.eventId)}
    ),
    listed as materialized (
      select distance, coalesce(runners, 0) as runners, hidden.distance is not null as is_hidden
      from counted full join hidden using (distance)
    ),
    page as (
      select * from listed order by ${naturalOrder(sql`distance`)}, distance limit ${limit} offset ${offset}
    )
    select (select count(*)::int from listed) as total, ${PAGE_ROWS} from owner`,
);

/**
 * Hides the names of a distance, or shows them again, and records the user. Answers the distance, or no row if nobody
 * has the distance and the distance is not hidden.
 */
const setting = (name: string, isHidden: boolean) =>
  statement(name, boardDistance, ({ distance, ...slots }: Slots<OfDistance>) => {
    const wanted = sql`${distance}::text`;
    const edited = isHidden
      ? sql`array_append(setting.board_hidden_distances, ${wanted})`
      : sql`array_remove(setting.board_hidden_distances, ${wanted})`;
    const values = isHidden ? sql`null, ${wanted}` : sql`${wanted}, null`;
    return sql`
    with ${COUNTED(slots)},
    told as materialized (
      select event_id, ${wanted} = any(board_hidden_distances) as is_hidden,
        (select runners from counted where distance = ${wanted}) as runners
      from event_settings where event_id = ${managedEventId(slots.eventId)} for no key update
    ),
    changed as (
      update event_settings setting set board_hidden_distances = ${edited} from told
      where setting.event_id = told.event_id and told.is_hidden = ${sql.raw(String(!isHidden))}
        and (told.is_hidden or runners is not null)
      returning setting.event_id
    ),
    recorded as (
      insert into event_changes (event_id, kind, before, after, user_id)
      select event_id, 'hidden_distance', ${values}, ${memberUserId}::text from changed
    )
    select ${wanted} as distance, coalesce(runners, 0) as runners, ${sql.raw(String(isHidden))} as is_hidden
    from told where is_hidden or runners is not null`;
  });

export const hideDistance = setting('hideDistance', true);
export const showDistance = setting('showDistance', false);
