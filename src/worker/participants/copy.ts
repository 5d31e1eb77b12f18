import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isSince, momentOf } from '../db/since.ts';
import { fieldsOf } from '../db/sql.ts';
import type { Slot, Slots } from '../db/statement.ts';
import { streamedStatement } from '../db/streamed-statement.ts';
import { findEvent, ownEventId } from '../events/queries.ts';
import { participantColumns, participantRow } from './queries.ts';
import { ParticipantExportQuery } from './schemas.ts';

type Since = { eventId: string; since?: string };

const copiedRow = () => z.extend(participantRow(), { is_removed: z.boolean() });

type CopiedRow = z.output<ReturnType<typeof copiedRow>>;

/** The registrations of an event, for a copy. A runner missing in the list has left the list. */
export const registrationsSince = (
  { eventId, since }: { eventId: Slot; since?: Slot | undefined },
  columns: SQL,
  isListed: SQL,
) => ({
  rows: sql`
      select ${columns}, registered_at as registered, not (${isListed}) as is_removed
      from registrations
      where event_id = ${ownEventId(eventId)}
        and ${since ? isSince('registrations', sql`${since}::bigint`) : isListed}`,
  order: sql`registered, inscription_id`,
  moment: sql`
      with event as materialized (${ownEventId(eventId)})
      select ${momentOf(sql`(
        select count(*) from registrations where event_id = event.id and ${isListed})`)}
      from event`,
});

const copyParticipants = streamedStatement(
  'copyParticipants',
  copiedRow,
  (slots: Slots<Since>) => registrationsSince(slots, participantColumns(), sql`status = 'PAID'`),
  { since: true },
);

export const participantCopy = {
  list: 'participants' as const,
  filters: ParticipantExportQuery,
  event: findEvent,
  rows: copyParticipants,
  fields: () => fieldsOf(participantRow()),
  toItem: ({ is_removed, ...participant }: CopiedRow) => participant,
  what: 'participants',
};
