import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RANKING_RULES } from '../../../timing-files/read/ranking-rule.ts';
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
import { GUN_RANK_MS, isByGun } from '../../positions/sql.ts';
import {
  completedSplits,
  listedResult,
  OF_EVENT,
  orderOfResults,
  RULE_OF_EVENT,
  registrationColumns,
} from '../sql.ts';
import {
  FASTER,
  GROUPS,
  isTopPage,
  matching,
  OPTIONAL_GROUPS,
  type ResultFilters,
  resultsWhere,
  withGroups,
} from './matching.ts';
import type { ResultQuery } from './schemas.ts';

const group = () => z.nullable(z.string());

/** The number of finishers of a gender, category and distance, from a time of the page up to the next, or FASTER. */
const finisherCount = () => z.tuple([z.int(), group(), group(), group(), z.int()]);

const rankedResult = () => z.extend(listedResult(), { gun_rank_ms: z.nullable(z.int()) });

/**
 * A page of results, and the counts behind their positions: by the time of `chip` and, where the event's rule needs gun
 * times, by the time of `gun`.
 */
const resultsPage = () =>
  z.extend(pageOfRows(rankedResult()), {
    rank_by: z.enum(RANKING_RULES),
    faster_by_chip: z.array(finisherCount()),
    faster_by_gun: z.array(finisherCount()),
  });

export type ResultsPage = z.output<ReturnType<typeof resultsPage>>;

type PageQuery = ResultFilters &
  Limits & {
    eventId: string;
    isTop?: ReturnType<typeof isTopPage>;
  };

/** A page of the matching results; no row if the event is not the caller's. */
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

/** The result of the runner with this bib, as a page with a single row. */
export const findResult = (eventId: string, bib: string) =>
  listResults(eventId, { bib, page: 1, page_size: 1 });

/**
 * The cost: a count of the matching results, the page's own rows, and a count of all results faster than a row of the
 * page.
 */
const selectPage = statement(
  'listResults',
  resultsPage,
  (query: Slots<PageQuery>) => sql`
    with event as materialized (${ownEventId(query.eventId)}),
    ${ruleOf(query)},
    -- The matching results.
    matched as ${matching(query)},
    counted as materialized (select count(*)::int as total from matched),
    ${pageBounds(query)},
    ${pageRows(query)},
    ${fasterThanPage(query)}
    select total, rank_by, ${PAGE_ROWS}, ${countsBy('chip')} as faster_by_chip,
      ${countsBy('gun')} as faster_by_gun
    from rule cross join counted`,
  { ...OPTIONAL_GROUPS, bib: true, rankedStatus: true, otherStatus: true, isTop: true },
);

/**
 * The CTE `rule`: the event's rule, and the order by the rule. A list of a category follows the places in the category.
 */
const ruleOf = ({ category }: Slots<PageQuery>): SQL => {
  const rule = sql`rank_by`;
  return sql`
    rule as materialized (
      select rank_by, ${isByGun('overall', rule)} as is_by_gun,
        ${isByGun(category === undefined ? 'overall' : 'category', rule)} as is_in_gun_order
      from (select ${RULE_OF_EVENT} as rank_by from event) ranked
    )`;
};

/** Rows of FinisherCount, from the CTE `counts`. */
const countsBy = (time: 'chip' | 'gun'): SQL => sql`coalesce((
        select json_agg(json_build_array(time_ms, gender, category, distance, finishers) order by time_ms)
        from counts where ${time === 'gun' ? sql`is_gun` : sql`not is_gun`}
      ), '[]')`;

/** Whether the list stands in the order of gun times. */
const IS_IN_GUN_ORDER = sql`(select is_in_gun_order from rule)`;

/**
 * Selects from results in the order of the rule. Each order has an index, so Postgres runs the part of a single order.
 * @param select makes the query by the column of the time
 */
const inOrder = (select: (rankMs: SQL, isUsed: SQL) => SQL): SQL => sql`
        (${select(sql`finish_time_ms`, sql`not ${IS_IN_GUN_ORDER}`)})
        union all
        (${select(sql`gun_rank_ms`, IS_IN_GUN_ORDER)})`;

/**
 * The CTEs `slice` and `page_bounds`: the page's times. The page's rows are not known yet, because equal times are
 * ordered by bib.
 */
const pageBounds = (query: Slots<PageQuery>): SQL => sql`
    slice as materialized (${inOrder(
      (rankMs, isUsed) => sql`
          select ${rankMs} as rank_ms from matched where ${isUsed}
          order by ${rankMs} limit ${query.limit} offset ${query.offset}`,
    )}
    ),
    page_bounds as materialized (
      select min(rank_ms) as first_ms, max(rank_ms) as last_ms,
        count(*) > count(rank_ms) as reaches_unfinished,
        -- Whether all results with the first time stand before the end of the page.
        count(rank_ms) > 0 and (count(rank_ms) < ${query.limit} or max(rank_ms) > min(rank_ms)) as ends_first
      from slice
    )`;

/** Longer than any time. */
const NEVER = sql`9223372036854775807`;
const FIRST_MS = sql`(select first_ms from page_bounds)`;

/** The CTE `page`: the rows. */
const pageRows = (query: Slots<PageQuery>): SQL => sql`
    near_page as materialized (
        ${inOrder(
          (rankMs, isUsed) => sql`
          select registration_id, finish_time_ms, gun_rank_ms, ${rankMs} as rank_ms from matched
          where ${isUsed} and ${rankMs} between ${FIRST_MS} and (select last_ms from page_bounds)`,
        )}
        union all
        select registration_id, null, null, null from matched
        where finish_time_ms is null and (select reaches_unfinished from page_bounds)
    ),
    -- How many of these stand before the page.
    skipped as materialized (
      select case
        when ends_first then (select count(*) from near_page where rank_ms = first_ms)
          - (select count(*) from slice where rank_ms = first_ms)
        else ${query.offset}::bigint - (
          select count(*) from matched
          where case when ${IS_IN_GUN_ORDER} then gun_rank_ms else finish_time_ms end
            < coalesce(${FIRST_MS}, ${NEVER})
        ) end as results
      from page_bounds
    ),
    page as materialized (
      select registration_id, ${registrationColumns()}, status, chip_time_ms, gun_time_ms, splits,
        ${isoText(sql`updated_at`)} as updated_at, near_page.finish_time_ms, near_page.gun_rank_ms
      from near_page
      cross join lateral (
        select status, chip_time_ms, gun_time_ms, updated_at,
          ${completedSplits(sql`near_page.registration_id`)} as splits
        from results
        where registration_id = near_page.registration_id offset 0
      ) result
      cross join lateral (
        select ${registrationColumns()} from registrations
        where id = near_page.registration_id offset 0
      ) registration
      order by ${orderOfResults('rank_ms')}
      limit ${query.limit} offset (select results from skipped)
    )`;

/** The CTE `counts`: how many results are faster than a row of the page. Only the times of the page are counted. */
function fasterThanPage(query: Slots<PageQuery>): SQL {
  // If the page is filtered by a group, all further values of the group are counted together.
  const groups = sql.join(
    GROUPS.map((group) => {
      const column = sql.identifier(group);
      const value = query[group];
      return value === undefined
        ? column
        : sql`case when ${column} = ${value} then ${column} end as ${column}`;
    }),
    sql`, `,
  );
  return sql`
    -- The times of the page, each once.
    own as materialized (
      select array_agg(distinct finish_time_ms) as chip_times, max(finish_time_ms) as last_chip_ms,
        array_agg(distinct gun_rank_ms) filter (where is_by_gun) as gun_times,
        max(gun_rank_ms) filter (where is_by_gun) as last_gun_ms,
        case when bool_or(is_by_gun) then ${NEVER} else max(finish_time_ms) end as counted_ms
      from page cross join rule where finish_time_ms is not null
    ),
    faster as materialized (
      select ${lastOwn('finish_time_ms', 'chip_times')} as chip, ${lastOwn('gun_rank_ms', 'gun_times')} as gun,
        ${groups}, count(*)::int as finishers
      from ${query.isTop ? FEW_FASTER : ALL_FASTER} ${withGroups(query.isTop)}
      group by 1, 2, 3, 4, 5
    ),
    counts as materialized (
      select is_gun, gender, category, distance, finishers, coalesce(
          case when is_gun then (select gun_times from own)[gun] else (select chip_times from own)[chip] end,
          ${FASTER}
        ) as time_ms
      from (
        select grouping(gun) = 0 as is_gun, chip, gun, gender, category, distance,
          sum(finishers)::int as finishers
        from faster
        group by grouping sets ((chip, gender, category, distance), (gun, gender, category, distance))
      ) by_time
      where gun is not null or not is_gun
    )`;
}

/** The ordinal of the last of the page's times up to `timeMs`; 0 for none. */
const lastOwn = (timeMs: string, times: string): SQL =>
  sql.raw(`case when ${timeMs} < (select ${times}[1] from own) then 0
          else width_bucket(${timeMs}, (select ${times} from own)) end`);

const LAST_CHIP_MS = sql`(select last_chip_ms from own)`;
const LAST_GUN_MS = sql`(select last_gun_ms from own)`;

/** An index ends the reading at `counted_ms`. Under a rule by gun, a runner with any chip time may be faster. */
const ALL_FASTER = sql`(
        select registration_id, finish_time_ms, coalesce(gun_time_ms, finish_time_ms) as gun_rank_ms
        from results where ${OF_EVENT} and finish_time_ms < (select counted_ms from own)
          and (finish_time_ms < ${LAST_CHIP_MS} or coalesce(gun_time_ms, finish_time_ms) < ${LAST_GUN_MS})
      ) result`;

/**
 * Two ranges of two indexes. Postgres expects few rows from a range with two ends, and reads the index for the range.
 */
const FEW_FASTER = sql`(
        select * from ${resultsWhere(sql`finish_time_ms >= 0 and finish_time_ms < ${LAST_CHIP_MS}`)}
        union all
        select * from ${resultsWhere(sql`${GUN_RANK_MS} >= 0 and ${GUN_RANK_MS} < ${LAST_GUN_MS}
          and finish_time_ms >= ${LAST_CHIP_MS}`)}
      ) result`;
