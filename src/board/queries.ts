import { and, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { events, eventVersions, registrations, resultCells, results } from '../db/schema.ts';
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
const openEventId = (db: Database, eventId: string, known: number | undefined): SQL =>
  sql`${db
    .select({ id: events.id })
    .from(events)
    .innerJoin(eventVersions, eq(eventVersions.event_id, events.id))
    .where(
      and(
        eq(events.id, eventId),
        events.board_enabled,
        known === undefined ? undefined : ne(eventVersions.version, known),
      ),
    )}`;

/** The first given name and the first letter of the surname: no more ever leaves the database. */
const publicName = sql<string | null>`
  case when ${events.board_shows_names} then nullif(concat_ws(' ',
    nullif(split_part(btrim(${registrations.given_names}), ' ', 1), ''),
    upper(nullif(left(btrim(${registrations.surnames}), 1), '')) || '.'), '') end`;

/** What a board says of a runner, wherever they stand on it. */
const runner = {
  bib_number: registrations.bib_number,
  name: publicName,
  gender: registrations.gender,
  category: registrations.category,
  distance: registrations.distance,
  status: results.status,
  chip_time_ms: results.chip_time_ms,
  gun_time_ms: results.gun_time_ms,
};

/** How many have a result. */
export const countResults = (db: Database, eventId: string, known?: number) => {
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

/**
 * Everybody on the board: a row for each list in which they stand, in its order. How many results
 * each minute has says in which minutes the first of a group are, and how many are before them: so
 * only the rows of those minutes are read, however many arrived.
 */
export function listRunners(db: Database, eventId: string, known?: number) {
  const open = openEventId(db, eventId, known);
  const shown = sql`(
    with minute as (
      select bucket, part, value, wanted, sum(entries) as entries
      from ${resultCells} cross join lateral (values
        ('leaders', '', ${LEADERS}::int),
        ('gender', gender, ${GROUP_LEADERS}),
        ('category', category, ${GROUP_LEADERS}),
        ('distance', distance, ${GROUP_LEADERS})
      ) as list (part, value, wanted)
      where event_id = ${open} and bucket < ${BEYOND_TIMES} and entries > 0 and value is not null
      group by bucket, part, value, wanted
    ),
    counted as (
      select *, sum(entries) over (partition by part, value order by bucket) - entries as before,
        sum(entries) over (partition by part, value) as finished
      from minute
    ),
    listed as (
      select *, dense_rank() over (partition by part order by finished desc, value) as size
      from counted where before < wanted
    ),
    needed as (select * from listed where size <= ${GROUPS_MAX}),
    candidate as (
      select result.registration_id, result.finish_time_ms, bucket,
        registration.gender, registration.category, registration.distance
      from (select distinct bucket from needed) as bucket
      join ${results} as result on result.event_id = ${open}
        and result.finish_time_ms >= bucket * ${BUCKET_MS}
        and result.finish_time_ms < (bucket + 1) * ${BUCKET_MS}
      join ${registrations} as registration on registration.id = result.registration_id
    ),
    leader as (
      select part, value, finished, wanted, registration_id,
        rank() over in_order as place, row_number() over in_full as ordinal
      from needed join candidate using (bucket)
      where value = case part when 'gender' then gender when 'category' then category
        when 'distance' then distance else '' end
      window in_order as (partition by part, value order by finish_time_ms),
        in_full as (partition by part, value order by finish_time_ms, registration_id)
    ),
    arrival as (
      select registration_id, finish_time_ms, finish_time_ms / ${BUCKET_MS} as bucket,
        row_number() over (order by updated_at desc, finish_time_ms desc, registration_id) as ordinal
      from ${results}
      where event_id = ${open} and finish_time_ms is not null
      order by updated_at desc, finish_time_ms desc, registration_id
      limit ${ARRIVALS}
    )
    select part, value, finished, registration_id, place, ordinal
    from leader where ordinal <= wanted
    union all
    select 'arrivals', '', 0, registration_id, 1 + before + (
      select count(*) from ${results} as earlier
      where earlier.event_id = ${open} and earlier.finish_time_ms >= bucket * ${BUCKET_MS}
        and earlier.finish_time_ms < arrival.finish_time_ms
    ), ordinal
    from arrival join counted using (bucket) where part = 'leaders'
  ) as shown`;
  return db
    .select({
      part: sql<Part>`shown.part`,
      /** The group's, empty for a list of all. */
      value: sql<string>`shown.value`,
      finished: sql`shown.finished`.mapWith(Number),
      place: sql`shown.place`.mapWith(Number),
      ...runner,
    })
    .from(shown)
    .innerJoin(results, eq(results.registration_id, sql`shown.registration_id`))
    .innerJoin(registrations, eq(registrations.id, results.registration_id))
    .innerJoin(events, eq(events.id, results.event_id))
    .orderBy(sql`shown.part`, sql`shown.value`, sql`shown.ordinal`);
}

/** One runner's result, by bib; `before`: of those who arrived, how many are ahead. */
export function findResult(db: Database, eventId: string, bib: string, known?: number) {
  const open = openEventId(db, eventId, known);
  const mine = { gender: registrations.gender, category: registrations.category };
  const ahead = sql`(
    select sum(entries) as all_of_them,
      sum(entries) filter (where gender = ${mine.gender}) as of_gender,
      sum(entries) filter (where category = ${mine.category}) as of_category
    from (
      select gender, category, entries from ${resultCells}
      where event_id = ${results.event_id} and bucket < ${results.finish_time_ms} / ${BUCKET_MS}
      union all
      select other.gender, other.category, 1
      from ${results} as earlier
      join ${registrations} as other on other.id = earlier.registration_id
      where earlier.event_id = ${results.event_id}
        and earlier.finish_time_ms < ${results.finish_time_ms}
        and earlier.finish_time_ms >= ${results.finish_time_ms} / ${BUCKET_MS} * ${BUCKET_MS}
    ) as ahead
  )`;
  const place = (column: string, of: SQL) =>
    sql<number | null>`case when ${of} then 1 + coalesce(ahead.${sql.raw(column)}, 0) end`.mapWith(
      Number,
    );
  const finished = isNotNull(results.finish_time_ms);
  return db
    .select({
      ...runner,
      splits: results.splits,
      position_overall: place('all_of_them', finished),
      position_gender: place('of_gender', sql`${finished} and ${mine.gender} is not null`),
      position_category: place('of_category', sql`${finished} and ${mine.category} is not null`),
    })
    .from(registrations)
    .innerJoin(results, eq(results.registration_id, registrations.id))
    .innerJoin(events, eq(events.id, registrations.event_id))
    .innerJoinLateral(sql`${ahead} as ahead`, sql`true`)
    .where(and(eq(registrations.event_id, open), eq(registrations.bib_number, bib)));
}

export type RunnerRow = Pick<Awaited<ReturnType<typeof findResult>>[number], keyof typeof runner>;
