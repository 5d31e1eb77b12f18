import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import {
  type Limits,
  type OfEvent,
  PAGE_ROWS,
  pageOfRows,
  type RowSchema,
  type Slots,
  statement,
} from '../../db/statement.ts';
import { ownEventId } from '../../events/queries.ts';
import { BY_BIB, OF_EVENT } from '../sql.ts';
import type { MissingResult } from './answer-schemas.ts';
import { type Groups, inGroups, OPTIONAL_GROUPS } from './matching.ts';

const group = () => z.nullable(z.string());

const missingRow = () =>
  z.strictObject({
    inscription_id: z.guid(),
    bib_number: z.string(),
    distance: group(),
    category: group(),
    gender: group(),
  });

missingRow satisfies RowSchema<MissingResult>;

/** A page of the paid registrations without a result, by bib; no row if the event is not the caller's. */
export const listMissing = statement(
  'listMissing',
  () => pageOfRows(missingRow()),
  ({ eventId, limit, offset, ...groups }: Slots<Groups & Limits & OfEvent>) => sql`
    with event as materialized (${ownEventId(eventId)}),
    -- All matching registrations, for the count.
    missing as materialized (
      select id as inscription_id, bib_number, distance, category, gender
      from registrations registration
      where ${OF_EVENT} and status = 'PAID' and bib_number is not null and ${inGroups(groups)}
        and not exists (select from results where registration_id = registration.id and ${OF_EVENT})
    ),
    page as (select * from missing order by ${BY_BIB} limit ${limit} offset ${offset})
    select (select count(*)::int from missing) as total,
      ${PAGE_ROWS}
    from event`,
  OPTIONAL_GROUPS,
);
