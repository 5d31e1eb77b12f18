import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isoText } from '../db/sql.ts';
import type { OfEvent, Slots } from '../db/statement.ts';
import { streamedStatement } from '../db/streamed-statement.ts';
import { ownEventId } from '../events/queries.ts';
import { inGroups, OPTIONAL_GROUPS } from '../results/read/matching.ts';
import { ABSENT, OF_EVENT, registrationColumns } from '../results/sql.ts';
import { asked, atPoint, ORDER, storedPassing } from './list-passings.ts';
import type { PassingExportQuery } from './schemas.ts';

/** A matching passing, or a passing that only counts for positions. */
const exportedRow = () =>
  z.extend(storedPassing(), { has_started: z.boolean(), is_listed: z.boolean() });

export type ExportedRow = z.output<ReturnType<typeof exportedRow>>;

/**
 * All matching passings at a single moment, in the order of time. Further passings at their points are included with
 * `is_listed` false, because positions count them.
 */
export const exportPassings = streamedStatement(
  'exportPassings',
  exportedRow,
  ({ eventId, bib, ...query }: Slots<PassingExportQuery & OfEvent>) => ({
    rows: sql`
      with event as materialized (${ownEventId(eventId)})${asked(query)},
      ${ABSENT}
      select registration_id, ${registrationColumns()}, point, time_ms,
        ${isoText(sql`received_at`)} as received_at, upload_id,
        registration_id not in (select registration_id from absent) as has_started, is_listed
      from (select * from passings where ${atPoint(query)}) passing
      join (
        select id as registration_id, ${registrationColumns()}
        from registrations where ${OF_EVENT}
      ) registration using (registration_id)
      cross join lateral (
        select coalesce(${inGroups(query)} and ${bib ? sql`bib_number = ${bib}` : sql`true`}, false)
          as is_listed
      ) match`,
    order: ORDER,
  }),
  { ...OPTIONAL_GROUPS, bib: true, point: true },
);
