import { sql } from 'drizzle-orm';
import type { Caller } from '../caller/caller.ts';
import { events, eventVersions, type results } from '../db/schema.ts';
import { limits } from '../http/pagination.ts';
import type { ResultQuery } from './schemas.ts';

/** What is asked of an event's results, and the versions of them that the client has already. */
export type Reading = { eventId: string; known: readonly number[] };

/** A result with its positions; without any where its runner did not finish. */
export type ResultRow = {
  bib_number: string | null;
  status: (typeof results.status.enumValues)[number];
  chip_time_ms: number | null;
  gun_time_ms: number | null;
  splits: Record<string, number>;
  gender: string | null;
  category: string | null;
  distance: string | null;
  position_overall: number | null;
  position_gender: number | null;
  position_category: number | null;
  position_distance: number | null;
  updated_at_ms: number;
};

/**
 * The event's version beside each result found, or once beside nothing; no row when the event is not
 * the caller's. What follows `total` is null where no result is.
 */
export type ReadRow = { version: number; total: number } & (
  | ResultRow
  | { [Column in keyof ResultRow]: null }
);

/** A page of the results that match; none is looked for when the client knows the version. */
export function listResults(
  { db, organizationId }: Caller,
  { eventId, known }: Reading,
  { status, gender, category, distance, bib, ...page }: ResultQuery,
) {
  const { limit, offset } = limits(page);
  // One statement, so that the version is that of what is read.
  return db.execute<ReadRow>(sql`
    select version.version::float8 as version, total, bib_number, status,
      chip_time_ms::float8 as chip_time_ms, gun_time_ms::float8 as gun_time_ms, splits,
      gender, category, distance,
      position_overall, position_gender, position_category, position_distance,
      (extract(epoch from updated_at) * 1000)::float8 as updated_at_ms
    from ${events} event
    join ${eventVersions} version on version.event_id = event.id
    left join lateral (
      select * from results_page(event.id, ${status ?? null}, ${gender ?? null},
        ${category ?? null}, ${distance ?? null}, ${bib ?? null}, ${limit}, ${offset}
      ) with ordinality
      where version.version <> all (${`{${known.join()}}`}::bigint[])
      -- Keeps the condition in here: it is judged before the page is made.
      offset 0
    ) page on true
    where event.id = ${eventId} and event.organization_id = ${organizationId}
    order by ordinality`);
}

/** The result of the runner with this bib. */
export const findResult = (caller: Caller, reading: Reading, bib: string) =>
  listResults(caller, reading, { bib, page: 1, page_size: 1 });
