import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { namesOfPoints } from '../db/starts.ts';
import {
  type Limits,
  type OfEvent,
  PAGE_ROWS,
  pageOfRows,
  type Slots,
  statement,
} from '../db/statement.ts';
import { bySender } from '../results/sender.ts';
import { OF_EVENT } from '../results/sql.ts';

const pointRow = () => z.strictObject({ point: z.string(), total: z.int(), fastest_ms: z.int() });

export type PointRow = z.output<ReturnType<typeof pointRow>>;

/** A page of the points; no row if the event is not the caller's. */
export const listPoints = bySender(({ ownEvent, kind }) =>
  statement(
    `listPoints.${kind}`,
    () => pageOfRows(pointRow()),
    ({ eventId, limit, offset }: Slots<Limits & OfEvent>) => sql`
    with event as materialized (${ownEvent(eventId)}),
    points as materialized (${namesOfPoints(sql`(select id from event)`)}),
    -- The leader is at each point before anybody else: the fastest times are in the order of the course.
    page as (
      select point, total, fastest_ms
      from points cross join lateral (
        select count(*)::int as total, min(time_ms) as fastest_ms from passings
        where ${OF_EVENT} and passings.point = points.point offset 0
      ) passing
      order by fastest_ms, point limit ${limit} offset ${offset}
    )
    select (select count(*)::int from points) as total, ${PAGE_ROWS} from event`,
  ),
);
