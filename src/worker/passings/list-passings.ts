import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isoText } from '../db/sql.ts';
import { namesOfPoints } from '../db/starts.ts';
import {
  type Limits,
  PAGE_ROWS,
  pageOfRows,
  type Slots,
  type Statement,
  statement,
} from '../db/statement.ts';
import { ownEventId } from '../events/queries.ts';
import { limits } from '../http/pagination.ts';
import { WITH_OWN_KEY } from '../results/batches/queries.ts';
import {
  FASTER,
  type Groups,
  inGroups,
  isOfWholeEvent,
  isTopPage,
  OPTIONAL_GROUPS,
  withGroups,
} from '../results/read/matching.ts';
import { ABSENT, OF_EVENT, ofRegistration, registrationColumns } from '../results/sql.ts';
import type { PassingQuery } from './schemas.ts';
import { knownPoint } from './sql.ts';

const group = () => z.nullable(z.string());

/** A passing beside its registration. */
export const storedPassing = () =>
  z.strictObject({
    registration_id: z.guid(),
    ...ofRegistration().shape,
    point: z.string(),
    time_ms: z.int(),
    received_at: z.string(),
    upload_id: z.guid(),
  });

export type StoredPassing = z.output<ReturnType<typeof storedPassing>>;

/** A passing of a page, with the sender of its upload. */
const listedPassing = () =>
  z.extend(storedPassing(), {
    has_started: z.boolean(),
    key_name: z.nullable(z.string()),
    sender: z.nullable(z.string()),
  });

export type ListedPassing = z.output<ReturnType<typeof listedPassing>>;

/** At a point, how many started runners of a gender, category and distance have a time, or are FASTER. */
const runnerCount = () => z.tuple([z.int(), group(), group(), group(), z.int(), z.string()]);

/** A page of passings, and the counts behind their positions, by time. */
const passingsPage = () =>
  z.extend(pageOfRows(listedPassing()), { faster_than_page: z.array(runnerCount()) });

export type PassingsPage = z.output<ReturnType<typeof passingsPage>>;

/** The order of `passings_by_time` at a point. */
export const ORDER = sql`time_ms, point, registration_id`;

type Filters = Groups & { point?: string | undefined; bib?: string | undefined };

type PageQuery = Filters &
  Limits & {
    eventId: string;
    isTop?: ReturnType<typeof isTopPage>;
  };

/** A page of the matching passings, in the order of time; no row if the event is not the caller's. */
export function listPassings(eventId: string, query: PassingQuery): Statement<PassingsPage[]> {
  const { point, bib, gender, category, distance } = query;
  const page = limits(query);
  const filters = { point, bib, gender, category, distance };
  return selectPage({ eventId, ...filters, ...page, isTop: isTopPage(filters, page) });
}

export const atPoint = ({ point }: Slots<Filters>): SQL =>
  point === undefined ? OF_EVENT : sql`${OF_EVENT} and point = (select point from asked)`;

/** The CTE `asked`: the point of the query under its name in the event. */
export const asked = ({ point }: Slots<Filters>): SQL =>
  point === undefined
    ? sql``
    : sql`, asked as materialized (select ${knownPoint(sql`(select id from event)`, point)} as point)`;

/** The matching passings, as the query of a CTE. */
function matching(query: Slots<PageQuery>): SQL {
  const passings = sql`select registration_id, point, time_ms from passings where ${atPoint(query)}`;
  if (query.bib !== undefined) {
    return sql`materialized (
      select registration_id, point, time_ms
      from (
        select id from registrations
        where ${OF_EVENT} and bib_number = ${query.bib} and ${inGroups(query)} offset 0
      ) registration
      cross join lateral (
        select * from passings where registration_id = id and ${atPoint(query)} offset 0
      ) passing
    )`;
  }
  if (isOfWholeEvent(query)) return sql`not materialized (${passings})`;
  return sql`materialized (
      select registration_id, point, time_ms
      from (${passings}) passing ${withGroups()}
      where ${inGroups(query)}
    )`;
}

/**
 * The passings that may be on the page. No index has all points of an event in the order of time, but
 * `passings_by_time` has the order of each point: the page is among the first passings of each point.
 */
const firstOfEach = (query: Slots<PageQuery>): SQL =>
  query.point !== undefined || !isOfWholeEvent(query)
    ? sql`matched`
    : sql`(${namesOfPoints(sql`(select id from event)`)}) points cross join lateral (
        select registration_id, time_ms from passings
        where ${OF_EVENT} and passings.point = points.point
        order by time_ms, registration_id limit ${query.limit}::bigint + ${query.offset}::bigint
      ) first`;

/** The cost: a count of the matching passings, and of all passings as fast as the page at its points. */
const selectPage = statement(
  'listPassings',
  passingsPage,
  (query: Slots<PageQuery>) => sql`
    with event as materialized (${ownEventId(query.eventId)})${asked(query)},
    ${ABSENT},
    -- The matching passings.
    matched as ${matching(query)},
    listed as materialized (
      select registration_id, point, time_ms from ${firstOfEach(query)}
      order by ${ORDER} limit ${query.limit} offset ${query.offset}
    ),
    -- The range of the page's times at each of its points.
    bounds as materialized (
      select point, min(time_ms) as first_ms, max(time_ms) as last_ms from listed group by point
    ),
    -- Rows of RunnerCount for all faster passings.
    faster_than_page as materialized (
      select point, faster.* from bounds cross join lateral (
        select case when time_ms < first_ms then ${FASTER} else time_ms end as time_ms,
          gender, category, distance, count(*)::int as runners
        from (
          select registration_id, time_ms from passings
          where ${OF_EVENT} and point = bounds.point and time_ms < last_ms offset 0
        ) faster
        ${withGroups(query.isTop)}
        where registration_id not in (select registration_id from absent)
        group by 1, 2, 3, 4
      ) faster
    ),
    page as (
      select registration_id, ${registrationColumns()}, point, time_ms,
        ${isoText(sql`received_at`)} as received_at, upload_id,
        registration_id not in (select registration_id from absent) as has_started,
        api_key.name as key_name, sender
      from listed
        cross join lateral (
          select received_at, upload_id from passings
          where registration_id = listed.registration_id and point = listed.point offset 0
        ) passing
        left join lateral (
          select event_id, api_key_id, sender from passing_uploads
          where id = passing.upload_id and ${OF_EVENT} offset 0
        ) batch on true
        ${WITH_OWN_KEY}
        cross join lateral (
          select ${registrationColumns()} from registrations
          where id = listed.registration_id offset 0
        ) registration
      order by ${ORDER}
    )
    select (select count(*)::int from matched) as total,
      ${PAGE_ROWS},
      coalesce((
        select json_agg(
          json_build_array(time_ms, gender, category, distance, runners, point) order by time_ms
        ) from faster_than_page
      ), '[]') as faster_than_page
    from event`,
  { ...OPTIONAL_GROUPS, bib: true, point: true, isTop: true },
);
