import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { db } from '../db/query-builder.ts';
import { events, registrations, results } from '../db/schema.ts';
import { type Slot, type Slots, statement } from '../db/statement.ts';
import {
  ARRIVALS,
  type BoardListQuery,
  GROUP_LEADERS,
  GROUPS_MAX,
  LEADERS,
  PAGE_SIZE,
  RACES_MAX,
} from './schemas.ts';

type Status = (typeof results.status.enumValues)[number];

type OfEvent = { eventId: string };

const isOpen = (eventId: Slot) => and(eq(events.id, eventId), events.board_enabled);

/** What stands above the board of an event that has one open to everybody. */
export const findBoard = statement(({ eventId }: Slots<OfEvent>) =>
  db
    .select({
      name: events.name,
      city: events.city,
      event_date: events.event_date,
      shows_names: events.board_shows_names,
    })
    .from(events)
    .where(isOpen(eventId)),
);

/** SQL for the event's id; null unless its board is open. Everything is selected through it. */
const openEventId = (eventId: Slot): SQL =>
  sql`${db.select({ id: events.id }).from(events).where(isOpen(eventId))}`;

/** For the transaction: all of it sees one state. */
export const asOfOneMoment = statement(() =>
  db.execute(sql`set transaction isolation level repeatable read, read only`),
);

/**
 * For the transaction: how to plan it. The planner takes a new event for a small one until somebody
 * analyzes the tables. With this memory, 50 000 results are hashed and sorted without a file.
 */
export const plannedForAnEvent = statement(() =>
  db.execute(
    sql`select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true),
      set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '32MB', true)`,
  ),
);

/**
 * The characters of a text up to the first blank, control character or invisible space. Postgres's own
 * `\s` knows the no-break space in some locales only.
 */
const firstWord = (text: SQLWrapper): SQL =>
  sql`substring(${text}, ${sql.raw(
    String.raw`E'[^\u0001-\u0020\u007f-\u00a0\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]+'`,
  )})`;

/** The first given name and the first letter of the surname: no more ever leaves the database. */
const publicName = sql`
  case when ${events.board_shows_names} then nullif(concat_ws(' ',
    ${firstWord(registrations.given_names)},
    upper(left(${firstWord(registrations.surnames)}, 1)) || '.'), '') end`;

const OF_EVENT = sql`event_id = (select id from event)`;

/** A blank gender, category or distance is none. Groups without one have an empty text. */
const group = (column: 'gender' | 'category' | 'distance') =>
  sql.raw(`coalesce(${column}, '') as ${column}`);

/** The results of the CTE `event`, each with the groups of its registration. */
const entries = (ofResult: SQL, columns: SQL): SQL => sql`
  (select registration_id, ${columns} from ${results} where ${OF_EVENT} and ${ofResult}) result
  join (
    select id as registration_id, gender, category, distance from ${registrations} where ${OF_EVENT}
  ) registration using (registration_id)`;

/** A row of the tables beside another row: looked up by its key, whatever the planner would do. */
const resultOf = (id: SQL): SQL =>
  sql`cross join lateral (select * from ${results} where registration_id = ${id} offset 0) result`;
const registrationOf = (id: SQL): SQL =>
  sql`cross join lateral (
    select * from ${registrations} where ${registrations.id} = ${id} offset 0
  ) as registrations`;

/** Ties stand in the order of their bibs. */
const BY_BIB = sql`char_length(bib_number), bib_number collate "C"`;

/** Every list of a race in which a row of `cell` or `best` stands. */
const LISTS = sql`
  cross join lateral (values
    ('leaders', '', ''), ('gender', gender, ''), ('category', gender, category)
  ) as list (part, of_gender, of_category)
  where part = 'leaders' or (part = 'gender' and gender <> '')
    or (part = 'category' and category <> '')`;

/** A list of a race. */
export type Part = 'arrivals' | 'leaders' | 'gender' | 'category';

export type ListedRow = {
  part: Part;
  distance: string;
  /** The list's group; empty for a list of the whole race. */
  group_gender: string;
  group_category: string;
  group_finished: number;
  place: number;
  finish_time_ms: number;
  arrived_ms: number;
  bib_number: string | null;
  name: string | null;
  gender: string | null;
  category: string | null;
};

export type RaceRow = { distance: string; counts: Partial<Record<Status, number>> };

/**
 * The races of the event, and everybody on the board: a row for each list in which they stand, in its
 * order. The event's results are read once. `cell` holds the sorted times of each distance, gender and
 * category: from them follow the best of every list, and the place of every arrival.
 */
export const listRaces = statement(({ eventId }: Slots<OfEvent>) =>
  db.execute<{ races: RaceRow[]; listed: ListedRow[] }>(sql`
    with recursive event as materialized (${openEventId(eventId)}),
    entry as materialized (
      select registration_id, finish_time_ms, updated_at,
        coalesce(gun_time_ms, finish_time_ms) as clock_ms, distance, gender, category
      from ${entries(sql`finish_time_ms is not null`, sql`finish_time_ms, gun_time_ms, updated_at`)}
    ),
    cell as materialized (
      select ${group('distance')}, ${group('gender')}, ${group('category')}, entries, (
        select array_agg(time_ms order by time_ms) from unnest(unsorted_ms) as time_ms
      ) as times_ms
      from (
        select distance, gender, category, count(*) as entries,
          array_agg(finish_time_ms) as unsorted_ms
        from entry group by distance, gender, category
      ) as unsorted
    ),
    tally as materialized (
      select distance, 'FINISHED' as status, sum(entries) as entries from cell group by distance
      union all
      select distance, status, count(*)
      from (
        select registration_id, status from ${results} where ${OF_EVENT} and finish_time_ms is null
      ) as unfinished
      cross join lateral (
        select ${group('distance')} from ${registrations} where id = registration_id offset 0
      ) as registration
      group by distance, status
    ),
    -- The index registrations_by_bucket is read at one place for each distance.
    registered (status, distance) as (
      select status, (
        select min(distance) from ${registrations} where ${OF_EVENT} and status = known.status
      ) from (values ('PAID'), ('PENDING')) as known (status)
      union all
      select status, (
        select min(distance) from ${registrations}
        where ${OF_EVENT} and status = registered.status and distance > registered.distance
      ) from registered where distance is not null
    ),
    race as materialized (
      select distance, coalesce(sum(entries), 0) as entries,
        coalesce(json_object_agg(status, entries) filter (where status is not null), '{}') as counts
      from (
        select distance from registered where distance is not null
        union select distance from tally
      ) as known
      left join tally using (distance)
      group by distance order by entries desc, distance limit ${RACES_MAX}
    ),
    best as materialized (
      select distance, gender, category, finisher.*
      from cell
      cross join lateral (select distinct unnest(times_ms[1:${LEADERS}]) as time_ms) as fast
      cross join lateral (
        select registration_id, finish_time_ms
        from ${results}
        cross join lateral (
          select ${group('distance')}, ${group('gender')}, ${group('category')}
          from ${registrations} where id = registration_id offset 0
        ) as registration
        where ${OF_EVENT} and finish_time_ms = time_ms
          and (registration.distance, registration.gender, registration.category)
            = (cell.distance, cell.gender, cell.category)
        offset 0
      ) as finisher
    ),
    sized as materialized (
      select part, distance, of_gender, of_category, sum(entries) as finished,
        row_number() over (partition by part
          order by sum(entries) desc, distance, of_gender, of_category) as size
      from cell ${LISTS}
      group by part, distance, of_gender, of_category
    ),
    leader as (
      select part, distance, of_gender, of_category, registration_id, finish_time_ms,
        rank() over (partition by part, distance, of_gender, of_category
          order by finish_time_ms) as place,
        row_number() over (partition by part, distance, of_gender, of_category
          order by finish_time_ms, ${BY_BIB}) as ordinal
      from best
      cross join lateral (
        select bib_number from ${registrations} where id = registration_id offset 0
      ) as registration
      ${LISTS}
    ),
    arrival as materialized (
      select race.distance, latest.*, row_number()
        over (partition by race.distance order by updated_at desc, clock_ms desc, registration_id)
          as ordinal
      from race cross join lateral (
        select registration_id, finish_time_ms, updated_at, clock_ms from entry
        where coalesce(entry.distance, '') = race.distance
        order by updated_at desc, clock_ms desc, registration_id limit ${ARRIVALS}
      ) as latest
    ),
    listed as (
      select part, distance, of_gender, of_category, finished, registration_id, place, ordinal
      from leader join sized using (part, distance, of_gender, of_category)
      where ordinal <= case part when 'leaders' then ${LEADERS}::int else ${GROUP_LEADERS}::int end
        and (part = 'leaders' or size <= ${GROUPS_MAX})
      union all
      select 'arrivals', distance, '', '', 0, registration_id, 1 + (
        -- How many of the sorted times are less.
        select sum(width_bucket(arrival.finish_time_ms - 1, times_ms)) from cell
        where cell.distance = arrival.distance
      ), ordinal
      from arrival
    )
    select coalesce((select json_agg(race) from race), '[]') as races, coalesce((
      select json_agg(json_build_object(
        'part', part, 'distance', listed.distance, 'group_gender', of_gender,
        'group_category', of_category, 'group_finished', finished, 'place', place,
        'finish_time_ms', finish_time_ms, 'arrived_ms', extract(epoch from updated_at) * 1000,
        'bib_number', bib_number, 'name', ${publicName}, 'gender', registrations.gender,
        'category', registrations.category
      ) order by part, listed.distance, of_gender, of_category, ordinal)
      from listed
      join race on race.distance = listed.distance
      ${resultOf(sql`listed.registration_id`)}
      ${registrationOf(sql`listed.registration_id`)}
      cross join ${events} where ${events.id} = (select id from event)
    ), '[]') as listed`),
);

export type RunnerRow = {
  bib_number: string;
  name: string | null;
  gender: string | null;
  category: string | null;
  distance: string | null;
  /** Null until the result arrives. */
  status: Status | null;
  chip_time_ms: number | null;
  gun_time_ms: number | null;
  splits: Record<string, number> | null;
  /** Of a finisher: how many finished the race, and how many of them faster. The same of the groups. */
  field: Record<
    | 'finished'
    | 'faster'
    | 'gender_finished'
    | 'gender_faster'
    | 'category_finished'
    | 'category_faster',
    number
  > | null;
};

/** The runner with this bib. A registration that was cancelled and has no result is none. */
export const findRunner = statement(({ eventId, bib }: Slots<OfEvent & { bib: string }>) => {
  const ofGender = sql`coalesce(field.gender, '') = runner.of_gender`;
  const ofCategory = sql`${ofGender} and coalesce(field.category, '') = runner.of_category`;
  const isFaster = sql`field.finish_time_ms < runner.finish_time_ms`;
  return db.execute<RunnerRow>(sql`
    with event as materialized (${openEventId(eventId)}),
    runner as materialized (
      select bib_number, ${publicName} as name, registrations.gender, registrations.category,
        registrations.distance, coalesce(registrations.gender, '') as of_gender,
        coalesce(registrations.category, '') as of_category,
        coalesce(registrations.distance, '') as of_distance,
        result.status, chip_time_ms, gun_time_ms, finish_time_ms, splits
      from (
        select * from ${registrations} where ${OF_EVENT} and bib_number = ${bib} offset 0
      ) as registrations
      join ${events} on ${events.id} = registrations.event_id
      left join lateral (
        select * from ${results} where registration_id = registrations.id offset 0
      ) as result on true
      where result.status is not null or registrations.status <> 'CANCELLED'
    )
    select bib_number, name, gender, category, distance, status, splits,
      chip_time_ms::float8, gun_time_ms::float8, case when finish_time_ms is not null then (
      select json_build_object(
        'finished', count(*),
        'faster', count(*) filter (where ${isFaster}),
        'gender_finished', count(*) filter (where ${ofGender}),
        'gender_faster', count(*) filter (where ${ofGender} and ${isFaster}),
        'category_finished', count(*) filter (where ${ofCategory}),
        'category_faster', count(*) filter (where ${ofCategory} and ${isFaster}))
      from (
        select finish_time_ms, gender, category, distance from ${entries(
          sql`finish_time_ms is not null`,
          sql`finish_time_ms`,
        )}
      ) as field
      where coalesce(field.distance, '') = runner.of_distance
    ) end as field
    from runner`);
});

export type ListPageRow = {
  total: number;
  groups: { gender: string | null; category: string | null; results: number }[];
  rows: {
    bib_number: string | null;
    name: string | null;
    gender: string | null;
    category: string | null;
    status: Status;
    finish_time_ms: number | null;
    place: number | null;
  }[];
};

type BoardFilters = Omit<BoardListQuery, 'page'>;

/** A page of a race's results; no row unless the event's board is open. */
export const listPage = statement((slots: Slots<OfEvent & BoardFilters & { offset: number }>) => {
  const { eventId, distance, gender, category, offset } = slots;
  const filters = [
    sql`true`,
    ...(gender === undefined ? [] : [sql`gender = ${gender}`]),
    ...(category === undefined ? [] : [sql`category = ${category}`]),
  ];
  return db.execute<ListPageRow>(sql`
    with event as materialized (${openEventId(eventId)}),
    entry as materialized (
      select registration_id, finish_time_ms, gender, category
      from ${entries(sql`true`, sql`finish_time_ms`)}
      where coalesce(distance, '') = ${distance}
    ),
    matched as materialized (
      select registration_id, finish_time_ms from entry where ${sql.join(filters, sql` and `)}
    ),
    -- The page's times: its rows are not known yet, for equal times are ordered by bib.
    edge as materialized (
      select min(finish_time_ms) as first_ms, max(finish_time_ms) as last_ms,
        count(*) > count(finish_time_ms) as reaches_unfinished
      from (
        select finish_time_ms from matched
        order by finish_time_ms limit ${PAGE_SIZE} offset ${offset}
      ) slice
    ),
    before as materialized (
      select count(*) as finishers from matched
      where finish_time_ms < (select first_ms from edge)
        or (finish_time_ms is not null and (select first_ms from edge) is null)
    ),
    page as (
      select bib_number, ${publicName} as name, registrations.gender, registrations.category,
        result.status, listed.finish_time_ms, place
      from (
        select registration_id, finish_time_ms,
          (select finishers from before) + rank() over (order by finish_time_ms) as place
        from matched
        where finish_time_ms between (select first_ms from edge) and (select last_ms from edge)
        union all
        select registration_id, null, null from matched
        where finish_time_ms is null and (select reaches_unfinished from edge)
      ) listed
      ${resultOf(sql`listed.registration_id`)}
      ${registrationOf(sql`listed.registration_id`)}
      cross join ${events} where ${events.id} = (select id from event)
      order by listed.finish_time_ms, array_position('{FINISHED,DNF,DSQ,DNS}', result.status),
        ${BY_BIB}, listed.registration_id
      limit ${PAGE_SIZE} offset ${offset}::bigint - (select finishers from before)
    )
    select (select count(*)::int from matched) as total,
      coalesce((select json_agg(page) from page), '[]') as rows,
      coalesce((
        select json_agg(json_build_object(
          'gender', gender, 'category', category, 'results', results
        )) from (
          select gender, category, count(*) as results from entry group by gender, category
        ) as counted
      ), '[]') as groups
    from event`);
});
