import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { ResultStatus } from '../../timing-files/read/result-status.ts';
import type { LargeText } from '../db/large-text.ts';
import { GROUPS_MAX, isoText, naturalOrder, REGISTRATION_STATUSES } from '../db/sql.ts';
import {
  type Limits,
  type OfEvent,
  PAGE_ROWS,
  pageOfRows,
  type Slots,
  statement,
} from '../db/statement.ts';
import { managedEventId } from '../events/panel-queries.ts';
import { RULED_POSITIONS, ruledPositions } from '../positions/positions.ts';
import { placesOf, rankMs } from '../positions/sql.ts';
import { versionOf } from './batches/versions.ts';
import {
  completedSplits,
  contentOrNull,
  OF_EVENT,
  orderOfResults,
  RULE_OF_EVENT,
  storedResult,
} from './sql.ts';

const text = () => z.nullable(z.string());

const runnerRow = () =>
  z.strictObject({
    inscription_id: z.guid(),
    bib_number: text(),
    inscription_status: z.enum(REGISTRATION_STATUSES),
    given_names: text(),
    surnames: text(),
    gender: text(),
    category: text(),
    distance: text(),
    name_is_hidden: z.boolean(),
    result: z.nullable(storedResult()),
    version: z.nullable(z.guid()),
    splits: z.record(z.string(), z.int()),
    ...ruledPositions().shape,
    updated_at: text(),
  });

const groupRow = () =>
  z.strictObject({ distance: z.string(), gender: z.string(), category: text() });

export type RunnerRow = z.output<ReturnType<typeof runnerRow>>;

/**
 * Which runners are wanted: with this bib, or with each of the patterns in the name; with this status, or who lack a
 * result or data; of these groups.
 */
export type Wanted = {
  bib?: string | undefined;
  patterns?: LargeText | undefined;
  status?: ResultStatus | undefined;
  isMissing?: true | undefined;
  isIncomplete?: true | undefined;
  distance?: string | undefined;
  gender?: string | undefined;
  category?: string | undefined;
};

const PLAIN_NAME = sql`lower(regexp_replace(
  normalize(concat_ws(' ', given_names, surnames), NFD), '[\u0300-\u036f]', '', 'g'))`;

/**
 * A page of the runners of an event: results in their order, then runners without a result. Runners without a bib
 * are listed if the filter is no result or incomplete data. No row if the organization has no such event.
 */
export const listRunners = statement(
  'listRunners',
  () => z.extend(pageOfRows(runnerRow()), { groups: z.array(groupRow()) }),
  ({ eventId, limit, offset, ...wanted }: Slots<Wanted & Limits & OfEvent>) => sql`
    with event as materialized (${managedEventId(eventId)}),
    rule as materialized (select ${RULE_OF_EVENT} as rank_by),
    matched as materialized (
      select id as registration_id, bib_number, status,
        ${rankMs(wanted.category ? 'category' : 'overall', RULE)} as rank_ms
      from (
        select id, bib_number from registrations
        where ${OF_EVENT} and ${ofRegistration(wanted)} and ${matching(wanted)} and ${ofGroups(wanted)}
      ) runner
      left join ${resultsOf(wanted)}
      where ${ofStatus(wanted)}
    ),
    listed as materialized (
      select registration_id, bib_number, row_number() over (order by ${orderOfResults('rank_ms')}) as line
      from matched order by line limit ${limit} offset ${offset}
    ),
    ${PLACED},
    -- Each runner of the page is looked up: the tables hold all events.
    page as (
      select registration_id as inscription_id, bib_number, runner.*,
        exists (
          select from board_hidden_names where registration_id = listed.registration_id
        ) as name_is_hidden,
        ${contentOrNull('result')} as result,
        ${versionOf('listed', sql`result`)} as version,
        ${completedSplits(sql`listed.registration_id`, sql`coalesce(result.splits, '{}')`)} as splits,
        ${PLACES},
        ${isoText(sql`result.updated_at`)} as updated_at
      from listed
      cross join lateral (
        select status as inscription_status, given_names, surnames, gender, category, distance
        from registrations
        where id = listed.registration_id offset 0
      ) runner
      left join lateral (
        select batch_id, restored_by, status, chip_time_ms, gun_time_ms, splits, updated_at from results
        where registration_id = listed.registration_id offset 0
      ) result on true
      left join placed using (registration_id)
      order by line
    )
    select (select count(*)::int from matched) as total, ${PAGE_ROWS}, ${GROUPS} as groups from event`,
  {
    ...{ bib: true, isIncomplete: true, isMissing: true, patterns: true, status: true },
    ...{ distance: true, gender: true, category: true },
  },
);

/** The results of the runners: the result of a bib, or the results of the whole event. */
const resultsOf = ({ bib }: Slots<Wanted>): SQL =>
  bib
    ? sql`lateral (
        select finish_time_ms, gun_time_ms, status from results where registration_id = id offset 0
      ) result on true`
    : sql`(
        select registration_id, finish_time_ms, gun_time_ms, status from results where ${OF_EVENT}
      ) result on registration_id = id`;

const RULE = sql`(select rank_by from rule)`;

const OF_PAGE = sql`registration_id in (select registration_id from listed)`;

/** The times by which a finisher has places within the distance. */
const RANK_TIMES = (['overall', 'category'] as const).map((by) => rankMs(by, RULE));

/** Whether a finisher is not slower than the last of the page. */
const UP_TO_PAGE = sql.join(
  RANK_TIMES.map(
    (timeMs) =>
      sql`${timeMs} <= (select max(${timeMs}) from results where ${OF_EVENT} and ${OF_PAGE})`,
  ),
  sql` or `,
);

/** The CTE `placed`: places within the distance of the page's finishers. Slower runners do not count. */
const PLACED = sql`
    placed as materialized (
      select * from (
        select registration_id, ${placesOf(RULED_POSITIONS, RULE)}
        from (
          select registration_id, finish_time_ms, gun_time_ms from results
          where ${OF_EVENT} and finish_time_ms is not null and (${UP_TO_PAGE})
        ) result
        join (
          select id as registration_id, gender, category, distance from registrations where ${OF_EVENT}
        ) registration using (registration_id)
      ) placed
      where ${OF_PAGE}
    )`;

const PLACES = sql.join(
  RULED_POSITIONS.map((name) => sql.identifier(name)),
  sql`, `,
);

/**
 * The groups of the event that have a gender: of each distance by gender, and by gender and category. Whoever registers
 * runners may write any number of categories, so the number of groups has a bound.
 */
const GROUPS = sql`(
      select coalesce(json_agg(groups order by ${naturalOrder(sql`distance`)}, gender, category nulls first), '[]')
      from (
        select distance, gender, category from registrations
        where ${OF_EVENT} and status = 'PAID' and distance <> '' and gender <> ''
        group by grouping sets ((distance, gender), (distance, gender, category))
        having grouping(category) = 1 or category is not null
        order by grouping(category) desc, distance, gender, category
        limit ${sql.raw(String(GROUPS_MAX))}
      ) groups
    )`;

/** The groups that a registration may lack. */
const LACKS = sql`(bib_number is null or gender is null or category is null or distance is null)`;

/** A runner who has paid is missing without a result, and incomplete without a bib or a group. */
function ofRegistration({ isMissing, isIncomplete }: Slots<Wanted>): SQL {
  if (isMissing) return sql`status = 'PAID'`;
  return isIncomplete ? sql`status = 'PAID' and ${LACKS}` : sql`bib_number is not null`;
}

function ofStatus({ status, isMissing }: Slots<Wanted>): SQL {
  if (isMissing) return sql`status is null`;
  return status ? sql`status = ${status}` : sql`true`;
}

function matching({ bib, patterns }: Slots<Wanted>): SQL {
  if (bib) return sql`bib_number = ${bib}`;
  return patterns ? sql`${PLAIN_NAME} like all (${patterns}::text[])` : sql`true`;
}

const ofGroups = ({ distance, gender, category }: Slots<Wanted>): SQL =>
  sql.join(
    [
      distance ? sql`distance = ${distance}` : sql`true`,
      gender ? sql`gender = ${gender}` : sql`true`,
      category ? sql`category = ${category}` : sql`true`,
    ],
    sql` and `,
  );
