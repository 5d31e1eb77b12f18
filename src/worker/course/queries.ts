import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { namesOfPoints, pointRow, startOf, startRow } from '../db/starts.ts';
import { command, type OfEvent, type RowSchema, type Slots, statement } from '../db/statement.ts';
import type { EventStart } from '../events/answer-schemas.ts';
import { bySender } from '../results/sender.ts';
import type { EventPoint } from './answer-schemas.ts';
import { type List, listed, POINTS, STARTS } from './lists.ts';

startRow satisfies RowSchema<EventStart>;

pointRow satisfies RowSchema<EventPoint>;

/** The version of a list and the sent items; no row if the event is not the caller's. */
const versioned = <Row>(name: string, list: List, row: () => z.ZodMiniType<Row>) =>
  bySender(({ ownEvent, kind }) =>
    statement(
      `${name}.${kind}`,
      () => z.strictObject({ version: z.int(), told: z.array(row()) }),
      ({ eventId }: Slots<OfEvent>) => sql`
      with event as materialized (${ownEvent(eventId)})
      select
        coalesce((select ${list.version} from event_settings where event_id = event.id), 0) as version,
        ${listed(list, sql`${list.table} where event_id = event.id`)} as told
      from event`,
    ),
  );

export const findStarts = versioned('findStarts', STARTS, startRow);

const derivedPoint = () => z.strictObject({ name: z.string(), fastest_ms: z.int() });

/** The sent points, and the points with passings, each with the fastest time. */
export const findPoints = bySender(({ ownEvent, kind }) =>
  statement(
    `findPoints.${kind}`,
    () =>
      z.strictObject({
        version: z.int(),
        told: z.array(pointRow()),
        seen: z.array(derivedPoint()),
      }),
    ({ eventId }: Slots<OfEvent>) => sql`
    with event as materialized (${ownEvent(eventId)}),
    seen as materialized (
      select point as name, (
        select min(time_ms) from passings
        where event_id = (select id from event) and passings.point = points.point
      ) as fastest_ms
      from (${namesOfPoints(sql`(select id from event)`)}) points
    )
    select
      coalesce((select points_version from event_settings where event_id = event.id), 0) as version,
      ${listed(POINTS, sql`event_points where event_id = event.id`)} as told,
      coalesce((select json_agg(seen order by fastest_ms, name) from seen), '[]') as seen
    from event`,
  ),
);

/** The row that a change of a list locks. The statement runs alone, so that two first changes wait for each other. */
export const makeSettings = bySender(({ target, kind }) =>
  command(
    `makeCourseSettings.${kind}`,
    ({ eventId }: Slots<OfEvent>) => sql`
    with target as materialized (${target(eventId)})
    insert into event_settings (event_id) select event_id from target
    on conflict (event_id) do nothing`,
  ),
);

/** Waits for a change of the event, so that the next statement sees the outcome. */
export const lockSettings = command(
  'lockCourseSettings',
  ({ eventId }: Slots<OfEvent>) =>
    sql`select from event_settings where event_id = ${eventId} for no key update`,
);

/** The number of registered runners without a start, cancelled runners excluded. */
export const countWithoutStart = bySender(({ ownEvent, kind }) =>
  statement(
    `countWithoutStart.${kind}`,
    () => z.strictObject({ total: z.int() }),
    ({ eventId }: Slots<OfEvent>) => sql`
    with event as materialized (${ownEvent(eventId)})
    select count(*)::int as total
    from registrations
    where event_id = (select id from event) and status <> 'CANCELLED' and not exists (
      ${startOf(
        {
          eventId: sql`(select id from event)`,
          bib: sql`bib_number`,
          distance: sql`registrations.distance`,
        },
        sql``,
      )}
    )`,
  ),
);
