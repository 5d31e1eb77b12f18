import { and, eq, notInArray, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { events, eventVersions, registrations, resultCells, results } from '../db/schema.ts';
import type { KnownVersions } from '../http/etag.ts';
import { ARRIVALS, GROUP_LEADERS, GROUPS_MAX, LEADERS } from './schemas.ts';

/** Of the buckets in which results are counted: see result_bucket() in the migrations. */
const BUCKET_MS = sql.raw('60000');
const BEYOND_TIMES = sql.raw('1000000000000000');

/** Of an event whose board is open to everybody: what stands above it, and the version it is at. */
export const findBoard = (db: Database, eventId: string) =>
  db
    .select({
      name: events.name,
      city: events.city,
      event_date: events.event_date,
      version: eventVersions.version,
    })
    .from(events)
    .innerJoin(eventVersions, eq(eventVersions.event_id, events.id))
    .where(and(eq(events.id, eventId), events.board_enabled));

/**
 * SQL for the event's id; null unless its board is open and at another version than the one that
 * is known. Everything is selected through it, so that nothing is read which is not answered.
 */
const openEventId = (db: Database, eventId: string, { any, versions }: KnownVersions): SQL =>
  sql`${db
    .select({ id: events.id })
    .from(events)
    .innerJoin(eventVersions, eq(eventVersions.event_id, events.id))
    .where(
      and(
        eq(events.id, eventId),
        events.board_enabled,
        any ? sql`false` : notInArray(eventVersions.version, [...versions]),
      ),
    )}`;

/** The first given name and the first letter of the surname: no more ever leaves the database. */
const publicName = sql<string | null>`
  case when ${events.board_shows_names} then nullif(concat_ws(' ',
    nullif(split_part(btrim(${registrations.given_names}), ' ', 1), ''),
    upper(nullif(left(btrim(${registrations.surnames}), 1), '')) || '.'), '') end`;

/** What a board says of who ran. */
const person = {
  bib_number: registrations.bib_number,
  name: publicName,
  gender: registrations.gender,
  category: registrations.category,
  distance: registrations.distance,
};

/** How many have a result. */
export const countResults = (db: Database, eventId: string, known: KnownVersions) => {
  const sum = (buckets: SQL) =>
    sql`coalesce(sum(${resultCells.entries}) filter (where ${buckets}), 0)`.mapWith(Number);
  const of = (status: string) => sum(sql`${resultCells.bucket} = result_bucket(${status}, 0)`);
  return db
    .select({
      FINISHED: sum(sql`${resultCells.bucket} < ${BEYOND_TIMES}`),
      DNS: of('DNS'),
      DNF: of('DNF'),
      DSQ: of('DSQ'),
    })
    .from(resultCells)
    .where(eq(resultCells.event_id, openEventId(db, eventId, known)));
};

/** Where on the board a runner stands: a list, and of which group. */
export type Part = 'arrivals' | 'leaders' | 'gender' | 'category' | 'distance';

const ROWS_MAX = ARRIVALS + LEADERS + 3 * GROUPS_MAX * GROUP_LEADERS;

/** For the transaction: all of it sees one state, the one that its version is told of. */
export const asOfOneMoment = (db: Database) =>
  db.execute(sql`set transaction isolation level repeatable read, read only`);

/** For the transaction: its plan is cheap, looks dear, and would take ten times as long to compile. */
export const withoutCompiling = (db: Database) => db.execute(sql`set local jit = off`);

/** How many finished in each minute, of each gender, category or distance. */
const countedBy = (group: 'gender' | 'category' | 'distance'): SQL => {
  const value = sql.raw(group);
  return sql`
    select ${sql.raw(`'${group}'`)} as part, ${value} as value, bucket, sum(entries)::int as entries
    from cell where ${value} is not null group by ${value}, bucket`;
};

/**
 * Everybody on the board: a row for each list in which they stand, in its order. What is counted of
 * each minute says in which minutes the first of a group are, and how many are before them: so only
 * the results of those minutes are read, however many arrived.
 */
export function listRunners(db: Database, eventId: string, known: KnownVersions) {
  const open = openEventId(db, eventId, known);
  const valueOfPart = sql`
    case part when 'gender' then gender when 'category' then category else distance end`;
  const shown = sql`(
    with cell as materialized (
      select bucket, gender collate "C" as gender, category collate "C" as category,
        distance collate "C" as distance, entries
      from ${resultCells} where event_id = ${open} and bucket < ${BEYOND_TIMES} and entries > 0
    ),
    counted as (
      select *, sum(entries) over (partition by part, value order by bucket) - entries as before,
        sum(entries) over (partition by part, value) as finished
      from (${countedBy('gender')} union all ${countedBy('category')}
        union all ${countedBy('distance')}) as grouped
    ),
    needed as materialized (
      select *
      from (
        select *, dense_rank() over (partition by part order by finished desc, value) as size
        from counted where before < ${GROUP_LEADERS}
      ) as sized
      where size <= ${GROUPS_MAX}
    ),
    candidate as materialized (
      select bucket, result.*, registration.*
      from (select distinct bucket from needed) as bucket
      -- One by one: they are few, whatever the planner takes them for.
      cross join lateral (
        select registration_id, finish_time_ms from ${results}
        where event_id = ${open} and finish_time_ms >= bucket * ${BUCKET_MS}
          and finish_time_ms < (bucket + 1) * ${BUCKET_MS}
        offset 0
      ) as result
      cross join lateral (
        select gender, category, distance, bib_number from ${registrations}
        where id = registration_id offset 0
      ) as registration
    ),
    ranked as (
      select part, value, finished, registration_id,
        rank() over (partition by part, value order by finish_time_ms) as place,
        row_number() over (partition by part, value
          order by finish_time_ms, char_length(bib_number), bib_number) as ordinal
      from needed join candidate using (bucket)
      where value = ${valueOfPart}
    ),
    leader as (
      select registration_id, rank() over (order by finish_time_ms) as place,
        row_number() over (order by finish_time_ms, registration_id) as ordinal
      from ${results} where event_id = ${open} and finish_time_ms is not null
      order by finish_time_ms, registration_id limit ${LEADERS}
    ),
    minute as materialized (
      select bucket, sum(entries) as entries from cell group by bucket
    ),
    arrival as (
      select registration_id, finish_time_ms, finish_time_ms / ${BUCKET_MS} as bucket, row_number()
        over (order by updated_at desc, finish_time_ms desc, registration_id) as ordinal
      from ${results} where event_id = ${open} and finish_time_ms is not null
      order by updated_at desc, finish_time_ms desc, registration_id limit ${ARRIVALS}
    )
    select * from (
      select part, value, finished, registration_id, place, ordinal
      from ranked where ordinal <= ${GROUP_LEADERS}
      union all
      select 'leaders', '', 0, registration_id, place, ordinal from leader
      union all
      select 'arrivals', '', 0, registration_id, 1 + (
        select coalesce(sum(entries), 0) from minute where minute.bucket < arrival.bucket
      ) + (
        select count(*) from ${results} as earlier
        where earlier.event_id = ${open} and earlier.finish_time_ms < arrival.finish_time_ms
          and earlier.finish_time_ms >= bucket * ${BUCKET_MS}
      ), ordinal
      from arrival
    ) as listed
    limit ${ROWS_MAX}
  ) as shown`;
  const result = db
    .select()
    .from(results)
    .where(eq(results.registration_id, sql`shown.registration_id`))
    .limit(1)
    .as('result');
  return db
    .select({
      part: sql<Part>`shown.part`,
      /** The group's, empty for a list of all. */
      value: sql<string>`shown.value`,
      finished: sql`shown.finished`.mapWith(Number),
      place: sql`shown.place`.mapWith(Number),
      status: result.status,
      chip_time_ms: result.chip_time_ms,
      gun_time_ms: result.gun_time_ms,
      ...person,
    })
    .from(shown)
    .innerJoinLateral(result, sql`true`)
    .innerJoin(registrations, eq(registrations.id, result.registration_id))
    .innerJoin(events, eq(events.id, result.event_id))
    .orderBy(sql`shown.part`, sql`shown.value`, sql`shown.ordinal`);
}

/** One runner's result, by bib, with its positions. */
export function findResult(db: Database, eventId: string, bib: string, known: KnownVersions) {
  const number = (column: string) => sql<number | null>`page.${sql.raw(column)}::float8`;
  return db
    .select({
      ...person,
      status: sql<(typeof results.status.enumValues)[number]>`page.status`,
      chip_time_ms: number('chip_time_ms'),
      gun_time_ms: number('gun_time_ms'),
      splits: sql<Record<string, number>>`page.splits`,
      position_overall: number('position_overall'),
      position_gender: number('position_gender'),
      position_category: number('position_category'),
    })
    .from(registrations)
    .innerJoin(events, eq(events.id, registrations.event_id))
    .innerJoinLateral(
      sql`results_page(${registrations.event_id}, null, null, null, null, ${bib}, 1, 0) as page`,
      sql`page.status is not null`,
    )
    .where(
      and(
        eq(registrations.event_id, openEventId(db, eventId, known)),
        eq(registrations.bib_number, bib),
      ),
    );
}

export type RunnerRow = Pick<
  Awaited<ReturnType<typeof findResult>>[number],
  keyof typeof person | 'status' | 'chip_time_ms' | 'gun_time_ms'
>;
