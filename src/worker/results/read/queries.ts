import { type SQL, sql } from 'drizzle-orm';
import { db } from '../../db/query-builder.ts';
import { registrations, results } from '../../db/schema.ts';
import { type Slots, type Statement, statement } from '../../db/statement.ts';
import { ownEventId } from '../../events/queries.ts';
import { type Limits, limits } from '../../http/pagination.ts';
import type { MissingResult } from './answer-schemas.ts';
import type { Crowd } from './positions.ts';
import type { MissingResultQuery, ResultQuery } from './schemas.ts';

/** A stored result; times in ms. */
export type ResultRow = {
  bib_number: string | null;
  status: (typeof results.status.enumValues)[number];
  chip_time_ms: number | null;
  gun_time_ms: number | null;
  splits: Record<string, number>;
  gender: string | null;
  category: string | null;
  distance: string | null;
  updated_at_ms: number;
  /** The place of its finish time among those of the page, from 1 on; null unless finished. */
  step: number | null;
};

/** A page of results, what their positions are counted from, and how many match altogether. */
export type ResultsPage = { total: number; rows: ResultRow[]; crowd: Crowd };

/**
 * For a transaction that reads results: how to plan it. The planner takes a new event for a small one
 * until somebody analyzes the tables, and would join it in nested loops. Compiling the plan of a large
 * event takes longer than running it.
 */
export const plannedForManyRows = statement(() =>
  db.execute(
    sql`select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true),
      set_config('max_parallel_workers_per_gather', '0', true)`,
  ),
);

const GROUPS = ['gender', 'category', 'distance'] as const;
type Group = (typeof GROUPS)[number];

/** The groups that are asked for. */
type Groups = { [Name in Group]?: string | undefined };

type ResultFilters = Groups & {
  bib?: string | undefined;
  /** Any but FINISHED. */
  unfinishedStatus?: string | undefined;
  /** Set to list finishers only. */
  isFinished?: true | undefined;
  /** Set if the page ends within the first TOP results of the whole event. */
  isTop?: true | undefined;
};

/** A page of the results that match; no row where the event is not the caller's. */
export function listResults(eventId: string, query: ResultQuery): Statement<ResultsPage[]> {
  const { status, bib, gender, category, distance } = query;
  const page = limits(query);
  const groups = { gender, category, distance };
  return selectResults({
    eventId,
    bib,
    ...groups,
    ...page,
    ...(status === 'FINISHED' ? { isFinished: true } : { unfinishedStatus: status }),
    isTop: isOfWholeEvent({ bib, ...groups }) && page.offset + page.limit <= TOP ? true : undefined,
  });
}

/** The result of the runner with this bib, as a page of one. */
export const findResult = (eventId: string, bib: string) =>
  listResults(eventId, { bib, page: 1, page_size: 1 });

const selectResults = statement(
  ({ eventId, ...slots }: Slots<ResultFilters & Limits & { eventId: string }>) =>
    db.execute<ResultsPage>(resultsPage(ownEventId(eventId), slots)),
);

/** A page of the paid registrations without a result, by bib; no row if the event is not the caller's. */
export const listMissing = (eventId: string, query: MissingResultQuery) => {
  const { gender, category, distance } = query;
  return selectMissing({ eventId, gender, category, distance, ...limits(query) });
};

const selectMissing = statement((slots: Slots<Groups & Limits & { eventId: string }>) => {
  const { eventId, limit, offset } = slots;
  return db.execute<{ total: number; rows: MissingResult[] }>(sql`
    with event as materialized (${ownEventId(eventId)}),
    missing as materialized (
      select bib_number, distance, category, gender
      from ${registrations} registration
      where ${OF_EVENT} and status = 'PAID' and bib_number is not null and ${inGroups(slots)}
        and not exists (select from ${results} where registration_id = registration.id and ${OF_EVENT})
    ),
    page as (
      select * from missing
      order by char_length(bib_number), bib_number collate "C" limit ${limit} offset ${offset}
    )
    select (select count(*)::int from missing) as total,
      coalesce((select json_agg(page) from page), '[]') as rows
    from event`);
});

/** As many runners are looked up one by one; to find more, the whole event is joined. */
const TOP = 500;

const OF_EVENT = sql`event_id = (select id from event)`;

/** Results of the CTE `event` beside their registrations, merged from two indexes. */
export const joined = (ofResult: SQL): SQL => sql`
  (select registration_id, finish_time_ms from ${results} where ${OF_EVENT} and ${ofResult}) result
  join (
    select id as registration_id, gender, category, distance from ${registrations} where ${OF_EVENT}
  ) registration using (registration_id)`;

/** The same, each registration looked up by itself. */
const lookedUp = (ofResult: SQL): SQL => sql`
  (select registration_id, finish_time_ms from ${results} where ${OF_EVENT} and ${ofResult}) result
  cross join lateral (
    select gender, category, distance from ${registrations} where id = registration_id offset 0
  ) registration`;

/** Whether a registration is in the groups that are asked for. */
function inGroups(groups: Slots<Groups>): SQL {
  const asked = GROUPS.flatMap((group) =>
    groups[group] === undefined ? [] : sql`${sql.identifier(group)} = ${groups[group]}`,
  );
  return sql.join([sql`true`, ...asked], sql` and `);
}

/** Whether neither a bib nor a group is asked for. */
const isOfWholeEvent = ({ bib, ...groups }: { bib?: unknown } & Partial<Record<Group, unknown>>) =>
  bib === undefined && GROUPS.every((group) => groups[group] === undefined);

/** The results that match, as the query of a CTE. */
function matching(query: Slots<ResultFilters>): SQL {
  const { isFinished, unfinishedStatus, bib } = query;
  const ofStatus = isFinished
    ? sql`finish_time_ms is not null`
    : unfinishedStatus
      ? sql`finish_time_ms is null and status = ${unfinishedStatus}`
      : sql`true`;
  if (isOfWholeEvent(query)) {
    return sql`not materialized (
      select registration_id, finish_time_ms from ${results} where ${OF_EVENT} and ${ofStatus}
    )`;
  }
  if (bib === undefined) {
    return sql`materialized (
      select registration_id, finish_time_ms from ${joined(ofStatus)} where ${inGroups(query)}
    )`;
  }
  return sql`materialized (
    select registration_id, finish_time_ms
    from (
      select id from ${registrations}
      where ${OF_EVENT} and bib_number = ${bib} and ${inGroups(query)} offset 0
    ) registration
    cross join lateral (
      select * from ${results} where registration_id = id and ${ofStatus} offset 0
    ) result
  )`;
}

/**
 * SQL for a page of the results that match, one row to be read as `ResultsPage`. It costs a count of
 * what matches, the page's own rows, and a count of everybody faster than its last finisher.
 * @param eventId an SQL query for the event's `id`; where it finds none, there is no row
 */
export function resultsPage(eventId: SQL, query: Slots<ResultFilters & Limits>): SQL {
  const { limit, offset, isTop } = query;
  const fasterThanLast = sql`finish_time_ms < (select last_ms from edge)`;
  // Of a group that the page is filtered by, the others need not be told apart.
  const group = (column: Group) => {
    const name = sql.identifier(column);
    const value = query[column];
    return value === undefined
      ? name
      : sql`case when ${name} = ${value} then ${name} end as ${name}`;
  };
  // Of one bib there is one result: no other match stands before it.
  const isMatch = query.bib === undefined ? inGroups(query) : sql`false`;
  return sql`
    with event as materialized (${eventId}),
    matched as ${matching(query)},
    counted as materialized (
      select count(*)::int as total, count(finish_time_ms) as finishers from matched
    ),
    -- The page's finish times: its rows are not known yet, for equal times are ordered by bib.
    edge as materialized (
      select min(finish_time_ms) as first_ms, max(finish_time_ms) as last_ms,
        array_agg(distinct finish_time_ms) filter (where finish_time_ms is not null) as times_ms,
        count(*) > count(finish_time_ms) as reaches_unfinished
      from (
        select finish_time_ms from matched order by finish_time_ms limit ${limit} offset ${offset}
      ) slice
    ),
    -- Step 0 is faster than all of the page.
    crowd as materialized (
      select case when finish_time_ms < (select first_ms from edge) then 0
          else width_bucket(finish_time_ms, (select times_ms from edge)) end as step,
        ${sql.join(GROUPS.map(group), sql`, `)}, count(*)::int as entries
      from ${isTop ? lookedUp(fasterThanLast) : joined(fasterThanLast)}
      group by 1, 2, 3, 4
    ),
    before as (
      select case when first_ms is null then finishers
        else (select coalesce(sum(entries), 0) from crowd where step = 0 and ${isMatch}) end as matches
      from edge cross join counted
    ),
    page as (
      select bib_number, status, chip_time_ms, gun_time_ms, splits, gender, category, distance,
        (extract(epoch from updated_at) * 1000)::float8 as updated_at_ms,
        width_bucket(listed.finish_time_ms, (select times_ms from edge)) as step
      from (
        select registration_id as id, finish_time_ms from matched
        where finish_time_ms between (select first_ms from edge) and (select last_ms from edge)
        union all
        select registration_id, finish_time_ms from matched
        where finish_time_ms is null and (select reaches_unfinished from edge)
      ) listed
      cross join lateral (select * from ${results} where registration_id = listed.id offset 0) result
      cross join lateral (
        select bib_number, gender, category, distance from ${registrations}
        where id = listed.id offset 0
      ) registration
      order by listed.finish_time_ms, array_position('{FINISHED,DNF,DSQ,DNS}', status),
        char_length(bib_number), bib_number collate "C", listed.id
      limit ${limit} offset ${offset}::bigint - (select matches from before)
    )
    select total,
      coalesce((select json_agg(page) from page), '[]') as rows,
      coalesce((
        select json_agg(json_build_array(step, gender, category, distance, entries) order by step)
        from crowd
      ), '[]') as crowd
    from event cross join counted`;
}
