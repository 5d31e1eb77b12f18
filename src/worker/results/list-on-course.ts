import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { namesOfPoints, pointRow, pointsOf, startOf } from '../db/starts.ts';
import { type Limits, PAGE_ROWS, pageOfRows, type Slots, statement } from '../db/statement.ts';
import { isOfAbsent } from '../db/statuses.ts';
import { managedEventId } from '../events/panel-queries.ts';
import { placeBy } from '../positions/sql.ts';
import { ABSENT, BY_BIB, OF_EVENT, ofRegistration, registrationColumns } from './sql.ts';

const text = () => z.nullable(z.string());

const onCourseRow = () =>
  z.strictObject({
    inscription_id: z.guid(),
    ...ofRegistration().shape,
    given_names: text(),
    surnames: text(),
    point: z.string(),
    last_ms: z.int(),
    /** Epoch ms of the gun. */
    started_ms: z.nullable(z.number()),
    /** False: a person said that the runner did not start. */
    has_started: z.boolean(),
    splits: z.record(z.string(), z.int()),
    category_place: z.nullable(z.int()),
  });

const onCoursePage = () =>
  z.extend(pageOfRows(onCourseRow()), {
    told: z.array(pointRow()),
    progress: z.strictObject({
      started: z.int(),
      points: z.array(z.strictObject({ point: z.string(), passed: z.int() })),
      finished: z.int(),
      on_course: z.int(),
    }),
  });

export type OnCoursePage = z.output<ReturnType<typeof onCoursePage>>;

export type OnCourseRow = OnCoursePage['rows'][number];

type Wanted = { lastPoint?: string | undefined; distance?: string | undefined };

/**
 * A page of the runners with a passing and without a result that ends their race, the earliest time at the last point
 * first; no row if the organization has no such event. Columns are computed for the page alone.
 */
export const listOnCourse = statement(
  'listOnCourse',
  onCoursePage,
  ({
    eventId,
    limit,
    offset,
    lastPoint,
    distance,
  }: Slots<Wanted & Limits & { eventId: string }>) => sql`
    with event as materialized (${managedEventId(eventId)}),
    ended as materialized (
      select registration_id, finish_time_ms from results where ${OF_EVENT} and not ${isOfAbsent(sql`status`)}
    ),
    ${ABSENT},
    on_course as materialized (
      select registration_id, max(time_ms) as last_ms
        ${lastPoint ? sql`, max(time_ms) filter (where point = ${lastPoint}) as at_point_ms` : sql``}
      from passings
      where ${OF_EVENT} and not exists (
        select from ended where ended.registration_id = passings.registration_id
      )
      group by registration_id
    ),
    matched as materialized (
      select registration_id, bib_number, last_ms
      from on_course
      join (
        select id as registration_id, bib_number from registrations
        where ${OF_EVENT} and ${distance ? sql`distance = ${distance}` : sql`true`}
      ) registration using (registration_id)
      where ${lastPoint ? sql`at_point_ms = last_ms` : sql`true`}
    ),
    listed as materialized (
      select registration_id, last_ms, row_number() over (order by last_ms, ${BY_BIB}, registration_id) as line
      from matched order by line limit ${limit} offset ${offset}
    ),
    last as materialized (
      select registration_id, last_ms, line, point
      from listed cross join lateral (
        select point from passings
        where registration_id = listed.registration_id and time_ms = last_ms
        order by point limit 1
      ) passing
    ),
    -- Whoever passed a last point of the page after the runners of the page has no influence on their places.
    placed as materialized (
      select registration_id, point, category_place from (
        select registration_id, point,
          (${placeBy('position_distance_category', sql`time_ms`, 'point')})::int as category_place
        from (
          select registration_id, point, time_ms
          from (select point, max(last_ms) as until_ms from last group by point) bounds
          cross join lateral (
            select registration_id, time_ms from passings
            where ${OF_EVENT} and passings.point = bounds.point and time_ms <= until_ms offset 0
          ) passing
          where registration_id not in (select registration_id from absent)
        ) passing
        join (
          select id as registration_id, gender, category, distance from registrations where ${OF_EVENT}
        ) registration using (registration_id)
      ) ranked
      where registration_id in (select registration_id from last)
    ),
    page as (
      select registration_id as inscription_id, runner.*, point, last_ms::float8 as last_ms, (
          select extract(epoch from starts_at)::float8 * 1000 from (${startOf({
            eventId: sql`(select id from event)`,
            bib: sql`runner.bib_number`,
            distance: sql`runner.distance`,
          })}) start
        ) as started_ms, registration_id not in (select registration_id from absent) as has_started, (
          select jsonb_object_agg(point, time_ms) from passings where registration_id = last.registration_id
        ) as splits, category_place
      from last
      cross join lateral (
        select ${registrationColumns()}, given_names, surnames from registrations
        where id = last.registration_id offset 0
      ) runner
      left join placed using (registration_id, point)
      order by line
    )
    select (select count(*)::int from matched) as total, ${PAGE_ROWS},
      ${pointsOf(sql`event.id`)} as told,
      json_build_object(
        'started', (select count(*) from ended) + (select count(*) from on_course),
        'points', coalesce((
          select json_agg(json_build_object('point', point, 'passed', passed) order by fastest_ms, point)
          from (${namesOfPoints(sql`(select id from event)`)}) points cross join lateral (
            select count(*)::int as passed, min(time_ms) as fastest_ms from passings
            where ${OF_EVENT} and passings.point = points.point offset 0
          ) passing
        ), '[]'),
        'finished', (select count(finish_time_ms) from ended),
        'on_course', (select count(*) from on_course)
      ) as progress
    from event`,
  { lastPoint: true, distance: true },
);
