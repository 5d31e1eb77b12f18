import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isSince, momentOf } from '../db/since.ts';
import { isoText } from '../db/sql.ts';
import type { Slots } from '../db/statement.ts';
import { streamedStatement } from '../db/streamed-statement.ts';
import { findEvent, ownEventId } from '../events/queries.ts';
import { fieldNames, fieldsWithout, itemsWith } from '../http/item-fields.ts';
import { NO_POSITIONS, POSITION_FIELDS } from '../positions/positions.ts';
import { OF_EVENT, registrationColumns } from '../results/sql.ts';
import { EXPORTED_FIELDS } from './answers.ts';
import { storedPassing } from './list-passings.ts';
import { PassingExportQuery } from './schemas.ts';

const copiedRow = () =>
  z.extend(storedPassing(), { inscription_id: z.guid(), is_removed: z.boolean() });

type CopiedRow = z.output<ReturnType<typeof copiedRow>>;

/** The passings of an event, for a copy. No passing is reported as removed: the total shows a removal. */
const copyPassings = streamedStatement(
  'copyPassings',
  copiedRow,
  ({ eventId, since: slot }: Slots<{ eventId: string; since?: string }>) => {
    const isNew = (table: 'passings' | 'registrations') =>
      slot ? isSince(table, sql`${slot}::bigint`) : sql`true`;
    return {
      rows: sql`
      with event as materialized (${ownEventId(eventId)})
      select registration_id, registration_id as inscription_id, ${registrationColumns()}, point, time_ms,
        ${isoText(sql`received_at`)} as received_at, upload_id, false as is_removed
      from (
        select *, ${isNew('passings')} as is_new_passing from passings where ${OF_EVENT}
      ) passing
      join (
        select id as registration_id, ${registrationColumns()}, ${isNew('registrations')} as is_new_runner
        from registrations where ${OF_EVENT}
      ) registration using (registration_id)
      where is_new_passing or is_new_runner`,
      order: sql`point collate "C", time_ms, registration_id`,
      moment: sql`
      with event as materialized (${ownEventId(eventId)})
      select ${momentOf(sql`(select count(*) from passings where ${OF_EVENT})`)} from event`,
    };
  },
  { since: true },
);

/** A copy has no positions, because a position changes with the passings of other runners. */
const FIELDS = fieldsWithout(EXPORTED_FIELDS, fieldNames(POSITION_FIELDS));

const toItem = itemsWith(FIELDS);

export const passingCopy = {
  list: 'passings' as const,
  filters: PassingExportQuery,
  event: findEvent,
  rows: copyPassings,
  fields: () => fieldNames(FIELDS),
  toItem: (row: CopiedRow) => toItem(row, NO_POSITIONS),
  what: 'passings',
};
