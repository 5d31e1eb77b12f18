import { sql } from 'drizzle-orm';
import type { Caller } from '../caller/caller.ts';
import { events, eventVersions, type results } from '../db/schema.ts';
import type { KnownVersions } from '../http/etag.ts';
import { limits } from '../http/pagination.ts';
import type { ResultQuery } from './schemas.ts';

/** A result with its positions; without any where its runner did not finish. Times in ms. */
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
 * The event's version, beside each result of the page or once beside nulls where there is none; no
 * row where the event is not the caller's. `total` is null where the version is known: then no page
 * was made.
 */
export type PageRow = { version: number; total: number | null } & (
  | ResultRow
  | { [Column in keyof ResultRow]: null }
);

/** A page of the results that match, made only when the event's version is none that is known. */
export function listResults(
  { db, organizationId }: Caller,
  eventId: string,
  { status, gender, category, distance, bib, ...page }: ResultQuery,
  known: KnownVersions,
) {
  const { limit, offset } = limits(page);
  const isNew = known.any
    ? sql`false`
    : sql`version.version <> all (${`{${known.versions.join()}}`}::bigint[])`;
  // One statement, for one state of the data: the version is that of the page.
  return db.execute<PageRow>(sql`
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
      where ${isNew}
      -- Keeps the condition in here, where it is judged before the page is made.
      offset 0
    ) page on true
    where event.id = ${eventId} and event.organization_id = ${organizationId}
    order by ordinality`);
}

/** The result of the runner with this bib, as a page of one. */
export const findResult = (caller: Caller, eventId: string, bib: string, known: KnownVersions) =>
  listResults(caller, eventId, { bib, page: 1, page_size: 1 }, known);
