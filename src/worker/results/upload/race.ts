import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { TIME_OF_DAY } from '../../../timing-files/read/parameters.ts';
import { RaceClock } from '../../../timing-files/read/race-clock.ts';
import { pointRow, pointsOf, startRow, startsOf } from '../../db/starts.ts';
import { type Slot, type Slots, statement } from '../../db/statement.ts';
import type { RunQueries } from '../../http/endpoint.ts';
import { bySender, type SenderKind } from '../sender.ts';
import { textArray } from './column.ts';
import { bibsAmong } from './compare.ts';

/** The parameters of a query for times of day. For a file, `parseParameters` checks the parameters. */
export type OfDayQuery = { time_format?: unknown; time_of_day?: unknown };

/** Whether an upload has times of day. Only such an upload asks for the starts. */
export const hasTimesOfDay = ({ time_format, time_of_day }: OfDayQuery): boolean =>
  String(time_format).trim().toLowerCase() === TIME_OF_DAY || time_of_day !== undefined;

const raceRow = () =>
  z.strictObject({
    zone: z.nullable(z.string()),
    version: z.int(),
    starts: z.array(startRow()),
    points: z.array(pointRow()),
    /** The bibs of each distance, if they were asked for. */
    distances: z.array(
      z.strictObject({ distance: z.nullable(z.string()), bibs: z.array(z.string()) }),
    ),
  });

export type Race = z.output<ReturnType<typeof raceRow>>;

type OfRace = {
  eventId: string;
  /** A file may have any bib, and none is known before the file is read. */
  withBibs?: true;
};

/** The starts of an event and its time zone; no row if the event is not the caller's. */
export const findRace = bySender(({ ownEvent, kind }) =>
  statement(
    `findRace.${kind}`,
    raceRow,
    ({ eventId, withBibs }: Slots<OfRace>) => sql`
    select time_zone as zone, ${startsOf(sql`events.id`)} as starts,
      ${pointsOf(sql`events.id`)} as points,
      coalesce((select starts_version from event_settings where event_id = events.id), 0) as version,
      ${
        withBibs
          ? sql`coalesce((
        select json_agg(json_build_object('distance', distance, 'bibs', bibs)) from (
          select distance, json_agg(bib_number) as bibs from registrations
          where event_id = events.id and bib_number is not null and ${withBibs}::boolean group by distance
        ) of
      ), '[]')`
          : sql`'[]'::json`
      } as distances
    from events where id = ${ownEvent(eventId)}`,
    { withBibs: true },
  ),
);

/** The clock of a file. */
export const clockOf = ({ distances, ...race }: Race): RaceClock =>
  new RaceClock({
    ...race,
    distances: new Map(
      distances.flatMap(({ distance, bibs }) => bibs.map((bib) => [bib, distance] as const)),
    ),
  });

/**
 * The clock of a JSON upload, which reads only the upload's bibs: a live batch costs as much in a small event as in a
 * large event.
 */
export async function clockFor(
  race: Race,
  bibs: readonly string[],
  { run, eventId, by }: { run: RunQueries; eventId: string; by: SenderKind },
): Promise<RaceClock> {
  const [rows] = await run(bibsAmong[by]({ eventId, texts: textArray(bibs) }));
  const distances = new Map(rows.map(({ bib_number, distance }) => [bib_number, distance]));
  return new RaceClock({ ...race, distances });
}

/**
 * The target of a write whose times were counted from the starts of a version: no row if another version is current.
 * A change of the starts waits for the write.
 * @param version without it, the write has no times of day
 */
export const targetOfStarts = (target: SQL, version: Slot | undefined): SQL =>
  version
    ? sql`
      select told.* from (${target}) told where coalesce((
        select starts_version from event_settings where event_settings.event_id = told.event_id for share
      ), 0) = ${version}::int`
    : target;
