import { and, count, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { events, eventVersions, registrations, results, standings } from '../db/schema.ts';
import { ARRIVALS, GROUP_LEADERS, LEADERS } from './schemas.ts';

/** Of an event whose board is open to everybody: what stands above it, and the version it is at. */
export const findBoard = (db: Database, eventId: string) =>
  db
    .select({
      name: events.name,
      city: events.city,
      event_date: events.event_date,
      version: sql`coalesce(${eventVersions.version}, 0)`.mapWith(Number),
    })
    .from(events)
    .leftJoin(eventVersions, eq(eventVersions.event_id, events.id))
    .where(and(eq(events.id, eventId), events.board_enabled));

/**
 * SQL for the event's id; null unless its board is open and at another version than the one that
 * is known. Everything is selected through it, so that nothing is read which is not answered.
 */
const openEventId = (db: Database, eventId: string, known: number | undefined): SQL =>
  sql`${db
    .select({ id: events.id })
    .from(events)
    .leftJoin(eventVersions, eq(eventVersions.event_id, events.id))
    .where(
      and(
        eq(events.id, eventId),
        events.board_enabled,
        sql`coalesce(${eventVersions.version}, 0) is distinct from ${known ?? null}::bigint`,
      ),
    )}`;

/** The first given name and the first letter of the surname: no more ever leaves the database. */
const publicName = sql<string | null>`
  case when ${events.board_shows_names} then nullif(concat_ws(' ',
    nullif(split_part(btrim(${registrations.given_names}), ' ', 1), ''),
    upper(nullif(left(btrim(${registrations.surnames}), 1), '')) || '.'), '') end`;

/** All that a board says of a runner. */
const runner = {
  bib_number: registrations.bib_number,
  name: publicName,
  gender: registrations.gender,
  category: registrations.category,
  distance: registrations.distance,
  status: results.status,
  chip_time_ms: results.chip_time_ms,
  gun_time_ms: results.gun_time_ms,
  position_overall: standings.position_overall,
  position_gender: standings.position_gender,
  position_category: standings.position_category,
};

/** How many have a result, by everything that the board counts. */
export const countResults = (db: Database, eventId: string, known?: number) =>
  db
    .select({
      status: results.status,
      gender: registrations.gender,
      category: registrations.category,
      distance: registrations.distance,
      count: count(),
    })
    .from(results)
    .innerJoin(registrations, eq(registrations.id, results.registration_id))
    .where(eq(results.event_id, openEventId(db, eventId, known)))
    .groupBy(results.status, registrations.gender, registrations.category, registrations.distance);

/** Where on the board a runner stands: a list, of which group, and at which of its rows. */
export type Part = 'arrivals' | 'leaders' | 'gender' | 'category' | 'distance';

/** Everybody on the board, a row for each place where they stand. */
export const listRunners = (db: Database, eventId: string, known?: number) => {
  const open = openEventId(db, eventId, known);
  const finished = sql`${results.event_id} = ${open} and ${results.finish_time_ms} is not null`;
  const shown = sql`(
    (select 'arrivals' as part, null as value, registration_id,
        row_number() over (order by updated_at desc, finish_time_ms desc, registration_id) as ordinal
      from ${results} where ${finished} order by ordinal limit ${ARRIVALS})
    union all
    (select 'leaders', null, registration_id,
        row_number() over (order by finish_time_ms, registration_id) as ordinal
      from ${results} where ${finished} order by ordinal limit ${LEADERS})
    union all
    select part, value, registration_id, ordinal
    from (
      select part, value, ${results.registration_id}, row_number() over (
        partition by part, value order by ${results.finish_time_ms}, ${results.registration_id}
      ) as ordinal
      from ${results}
      join ${registrations} on ${registrations.id} = ${results.registration_id}
      cross join lateral (values
        ('gender', ${registrations.gender}),
        ('category', ${registrations.category}),
        ('distance', ${registrations.distance})
      ) as member (part, value)
      where ${finished} and value is not null
    ) as ranked
    where ordinal <= ${GROUP_LEADERS}
  ) as shown`;
  return db
    .select({ part: sql<Part>`shown.part`, value: sql<string | null>`shown.value`, ...runner })
    .from(shown)
    .innerJoin(results, eq(results.registration_id, sql`shown.registration_id`))
    .innerJoin(registrations, eq(registrations.id, results.registration_id))
    .innerJoin(events, eq(events.id, results.event_id))
    .innerJoin(
      standings,
      and(eq(standings.event_id, open), eq(standings.registration_id, results.registration_id)),
    )
    .orderBy(sql`shown.part`, sql`shown.value`, sql`shown.ordinal`);
};

/** One runner's result, by bib. */
export const findResult = (db: Database, eventId: string, bib: string, known?: number) =>
  db
    .select({ ...runner, splits: results.splits })
    .from(registrations)
    .innerJoin(results, eq(results.registration_id, registrations.id))
    .innerJoin(events, eq(events.id, registrations.event_id))
    .leftJoin(standings, eq(standings.registration_id, registrations.id))
    .where(
      and(
        eq(registrations.event_id, openEventId(db, eventId, known)),
        eq(registrations.bib_number, bib),
      ),
    );

export type RunnerRow = Omit<Awaited<ReturnType<typeof findResult>>[number], 'splits'>;
