import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { START_JSON, startOf, startRow } from '../db/starts.ts';
import { command, type RowSchema, type Slots, statement } from '../db/statement.ts';
import type { EventStart } from '../events/answer-schemas.ts';
import { pointsOf } from '../passings/sql.ts';
import { bySender } from '../results/sender.ts';
import type { EventPoint } from './answer-schemas.ts';

type OfEvent = { eventId: string };

startRow satisfies RowSchema<EventStart>;

const point = () =>
  z.strictObject({
    name: z.string(),
    distance: z.nullable(z.string()),
    order: z.int(),
    km: z.nullable(z.number()),
  });

point satisfies RowSchema<EventPoint>;

/** The tables and columns behind a list of the course. */
type List = {
  table: SQL;
  /** The column of `event_settings` with the version of the list. */
  version: SQL;
  kind: 'starts' | 'points';
  /** An item as JSON, in SQL over the item's columns. */
  item: SQL;
  /** The stored columns of an item, with their types. The sent JSON has the columns too. */
  columns: Readonly<Record<string, string>>;
};

const STARTS: List = {
  table: sql`event_starts`,
  version: sql`starts_version`,
  kind: 'starts',
  item: START_JSON,
  columns: {
    name: 'text',
    distance: 'text',
    bib_from: 'bigint',
    bib_to: 'bigint',
    starts_at: 'timestamptz',
    utc_offset_minutes: 'int',
  },
};

const POINTS: List = {
  table: sql`event_points`,
  version: sql`points_version`,
  kind: 'points',
  item: sql`json_build_object('name', name, 'distance', distance, 'order', course_order, 'km', km)`,
  columns: { name: 'text', distance: 'text', course_order: 'int', km: 'float8' },
};

/** The items of a list as a JSON array. @param from a table or a CTE with the columns of the list, and `ordinal` */
const listed = ({ item }: List, from: SQL): SQL =>
  sql`coalesce((select json_agg(${item} order by ordinal) from ${from}), '[]')`;

/** The version of a list and the sent items; no row if the event is not the caller's. */
const versioned = <Row>(list: List, row: () => z.ZodMiniType<Row>) =>
  bySender(({ ownEvent }) =>
    statement(
      () => z.strictObject({ version: z.int(), told: z.array(row()) }),
      ({ eventId }: Slots<OfEvent>) => sql`
      with event as materialized (${ownEvent(eventId)})
      select
        coalesce((select ${list.version} from event_settings where event_id = event.id), 0) as version,
        ${listed(list, sql`${list.table} where event_id = event.id`)} as told
      from event`,
    ),
  );

export const findStarts = versioned(STARTS, startRow);

const derivedPoint = () => z.strictObject({ name: z.string(), fastest_ms: z.int() });

/** The sent points, and the points with passings, each with the fastest time. */
export const findPoints = bySender(({ ownEvent }) =>
  statement(
    () =>
      z.strictObject({
        version: z.int(),
        told: z.array(point()),
        seen: z.array(derivedPoint()),
      }),
    ({ eventId }: Slots<OfEvent>) => sql`
    with event as materialized (${ownEvent(eventId)}),
    seen as materialized (
      select point as name, (
        select min(time_ms) from passings
        where event_id = (select id from event) and passings.point = points.point
      ) as fastest_ms
      from (${pointsOf(sql`(select id from event)`)}) points
    )
    select
      coalesce((select points_version from event_settings where event_id = event.id), 0) as version,
      ${listed(POINTS, sql`event_points where event_id = event.id`)} as told,
      coalesce((select json_agg(seen order by fastest_ms, name) from seen), '[]') as seen
    from event`,
  ),
);

/** A changed list: `items` is the sent JSON, an object for each item, with the columns of the list. */
type Change = OfEvent & { version: number; items: string };

/** The row that a change of a list locks. The statement runs alone, so that two first changes wait for each other. */
export const makeSettings = bySender(({ target }) =>
  command(
    ({ eventId }: Slots<OfEvent>) => sql`
    with target as materialized (${target(eventId)})
    insert into event_settings (event_id) select event_id from target
    on conflict (event_id) do nothing`,
  ),
);

/** Waits for a change of the event, so that the next statement sees the outcome. */
export const lockSettings = command(
  ({ eventId }: Slots<OfEvent>) =>
    sql`select from event_settings where event_id = ${eventId} for no key update`,
);

/**
 * Replaces a list, if `version` is the current version and the list differs, and records the sender. Answers the new
 * version and list, and whether the list equals the sent list.
 */
const replace = <Row>(list: List, row: () => z.ZodMiniType<Row>) => {
  const names = Object.keys(list.columns);
  const columns = sql.raw(names.join(', '));
  const excluded = sql.raw(names.map((name) => `excluded.${name}`).join(', '));
  const typed = sql.raw(
    Object.entries(list.columns)
      .map((column) => column.join(' '))
      .join(', '),
  );
  return bySender(({ target, userId }) =>
    statement(
      () => z.strictObject({ version: z.int(), told: z.array(row()), is_as_sent: z.boolean() }),
      ({ eventId, version, items }: Slots<Change>) => sql`
      with target as materialized (${target(eventId)}),
      settings as materialized (
        select event_id, ${list.version} as version from event_settings
        where event_id = (select event_id from target)
      ),
      sent as materialized (
        select ordinal, ${columns}
        from rows from (jsonb_to_recordset(${items}::jsonb) as (${typed}))
          with ordinality as item (${columns}, ordinal)
      ),
      compared as materialized (
        select version, ${listed(list, sql`${list.table} where event_id = settings.event_id`)} as before,
          ${listed(list, sql`sent`)} as after
        from settings
      ),
      changed as (
        update event_settings set ${list.version} = ${list.version} + 1
        from compared
        where event_id = (select event_id from target) and ${list.version} = ${version}::int
          and before::text <> after::text
        returning event_id, ${list.version} as version
      ),
      removed as (
        delete from ${list.table} using changed
        where ${list.table}.event_id = changed.event_id and ordinal > (select count(*) from sent)
      ),
      written as (
        insert into ${list.table} (event_id, ordinal, ${columns})
        select event_id, ordinal, ${columns} from sent cross join changed
        on conflict (event_id, ordinal) do update
        set (${columns}) = (${excluded})
      ),
      recorded as (
        insert into event_changes (event_id, kind, before, after, user_id, api_key_id, key_prefix)
        select event_id, ${sql.raw(`'${list.kind}'`)}, before::text, after::text, ${userId}, api_key_id, key_prefix
        from compared cross join changed join target using (event_id)
      )
      select coalesce((select changed.version from changed), compared.version) as version,
        case when exists (select from changed) then after else before end as told,
        exists (select from changed) or before::text = after::text as is_as_sent
      from compared`,
    ),
  );
};

export const replaceStarts = replace(STARTS, startRow);
export const replacePoints = replace(POINTS, point);

/** The number of registered runners without a start, cancelled runners excluded. */
export const countWithoutStart = bySender(({ ownEvent }) =>
  statement(
    () => z.strictObject({ total: z.int() }),
    ({ eventId }: Slots<OfEvent>) => sql`
    with event as materialized (${ownEvent(eventId)})
    select count(*)::int as total
    from registrations
    where event_id = (select id from event) and status <> 'CANCELLED' and not exists (
      ${startOf({ eventId: sql`(select id from event)`, bib: sql`bib_number`, distance: sql`registrations.distance` }, sql``)}
    )`,
  ),
);
