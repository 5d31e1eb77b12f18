import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { STATUS_RULES } from '../../../timing-files/read/result-status.ts';
import { isoText } from '../../db/sql.ts';
import {
  type Limits,
  PAGE_ROWS,
  pageOfRows,
  type Slots,
  type Statement,
  statement,
} from '../../db/statement.ts';
import { ownEventId } from '../../events/queries.ts';
import { limits } from '../../http/pagination.ts';
import {
  completedSplits,
  ORDER_OF_RESULTS,
  ofRegistration,
  registrationColumns,
  storedResult,
} from '../sql.ts';
import {
  FASTER,
  GROUPS,
  inGroups,
  isTopPage,
  matching,
  type ResultFilters,
  resultsWhere,
  withGroups,
} from './matching.ts';
import type { ResultQuery } from './schemas.ts';

const group = () => z.nullable(z.string());

/** A result beside its registration. */
export const listedResult = () =>
  z.strictObject({
    registration_id: z.guid(),
    ...ofRegistration().shape,
    ...storedResult().shape,
    updated_at: z.string(),
    finish_time_ms: z.nullable(z.int()),
  });

export type ListedResult = z.output<ReturnType<typeof listedResult>>;

/** How many finishers of a gender, category and distance have a finish time, or are FASTER. */
const finisherCount = () => z.tuple([z.int(), group(), group(), group(), z.int()]);

/** A page of results, and the counts that give their positions, by finish time. */
const resultsPage = () =>
  z.extend(pageOfRows(listedResult()), { faster_than_page: z.array(finisherCount()) });

export type ResultsPage = z.output<ReturnType<typeof resultsPage>>;

type PageQuery = ResultFilters &
  Limits & {
    eventId: string;
    isTop?: ReturnType<typeof isTopPage>;
  };

/** A page of the results that match; no row if the event is not the caller's. */
export function listResults(eventId: string, query: ResultQuery): Statement<ResultsPage[]> {
  const { status, bib, gender, category, distance } = query;
  const page = limits(query);
  const groups = { gender, category, distance };
  return selectPage({
    eventId,
    bib,
    ...groups,
    ...page,
    ...(status && STATUS_RULES[status].hasPosition
      ? { rankedStatus: status }
      : { otherStatus: status }),
    isTop: isTopPage({ bib, ...groups }, page),
  });
}

/** The result of the runner with this bib, as a page of one. */
export const findResult = (eventId: string, bib: string) =>
  listResults(eventId, { bib, page: 1, page_size: 1 });

/** It costs a count of what matches, the page's own rows, and a count of all that are as fast as the page. */
const selectPage = statement(
  resultsPage,
  (query: Slots<PageQuery>) => sql`
    with event as materialized (${ownEventId(query.eventId)}),
    -- The results that are asked for.
    matched as ${matching(query)},
    -- How many these are, and how many of them finished.
    counted as materialized (
      select count(*)::int as total, count(finish_time_ms) as finishers from matched
    ),
    ${pageBounds(query)},
    ${fasterThanPage(query)},
    -- How many matches stand before the first row whose time is among the page's.
    before as (
      select case when first_ms is null then finishers
        else (
          -- Of one bib there is one result: no other match stands before it.
          select coalesce(sum(finishers), 0) from faster_than_page
          where time_ms = ${FASTER} and ${query.bib === undefined ? inGroups(query) : sql`false`}
        ) end as matches
      from page_bounds cross join counted
    ),
    ${pageRows(query)}
    select total,
      ${PAGE_ROWS},
      coalesce((
        select json_agg(
          json_build_array(time_ms, gender, category, distance, finishers) order by time_ms
        ) from faster_than_page
      ), '[]') as faster_than_page
    from event cross join counted`,
);

/** The CTE `page_bounds`: the page's times. Its rows are not known yet, for equal times are ordered by bib. */
const pageBounds = ({ limit, offset }: Slots<PageQuery>): SQL => sql`
    page_bounds as materialized (
      select min(finish_time_ms) as first_ms, max(finish_time_ms) as last_ms,
        count(*) > count(finish_time_ms) as reaches_unfinished
      from (
        select finish_time_ms from matched order by finish_time_ms limit ${limit} offset ${offset}
      ) slice
    )`;

/** The CTE `faster_than_page`: rows of FinisherCount for all that are faster than the page's last time. */
function fasterThanPage(query: Slots<PageQuery>): SQL {
  const isFaster = sql`finish_time_ms < (select last_ms from page_bounds)`;
  // If the page is filtered by a group, the other values of it are counted together.
  const groups = GROUPS.map((group) => {
    const column = sql.identifier(group);
    const value = query[group];
    return value === undefined
      ? column
      : sql`case when ${column} = ${value} then ${column} end as ${column}`;
  });
  return sql`
    faster_than_page as materialized (
      select case when finish_time_ms < (select first_ms from page_bounds) then ${FASTER}
          else finish_time_ms end as time_ms,
        ${sql.join(groups, sql`, `)}, count(*)::int as finishers
      from ${resultsWhere(isFaster)} ${withGroups(query.isTop)}
      group by 1, 2, 3, 4
    )`;
}

/** The CTE `page`: rows of ListedResult. */
const pageRows = ({ limit, offset }: Slots<PageQuery>): SQL => sql`
    page as (
      select registration_id, ${registrationColumns()}, status, chip_time_ms, gun_time_ms, splits,
        ${isoText(sql`updated_at`)} as updated_at,
        listed.finish_time_ms
      from (
        select registration_id, finish_time_ms from matched
        where finish_time_ms between
          (select first_ms from page_bounds) and (select last_ms from page_bounds)
        union all
        select registration_id, finish_time_ms from matched
        where finish_time_ms is null and (select reaches_unfinished from page_bounds)
      ) listed
      cross join lateral (
        select status, chip_time_ms, gun_time_ms, updated_at,
          ${completedSplits(sql`listed.registration_id`)} as splits
        from results
        where registration_id = listed.registration_id offset 0
      ) result
      cross join lateral (
        select ${registrationColumns()} from registrations
        where id = listed.registration_id offset 0
      ) registration
      order by ${ORDER_OF_RESULTS}
      limit ${limit} offset ${offset}::bigint - (select matches from before)
    )`;
