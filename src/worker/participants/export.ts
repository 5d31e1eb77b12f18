import { sql } from 'drizzle-orm';
import { fieldsOf } from '../db/sql.ts';
import type { OfEvent, Slots } from '../db/statement.ts';
import { streamedStatement } from '../db/streamed-statement.ts';
import type { ExportedFile } from '../http/export.ts';
import type { Participant } from './answer-schemas.ts';
import { isPaid, participantColumns, participantRow } from './queries.ts';
import type { ParticipantExportQuery } from './schemas.ts';

/** All matching participants at a moment; none if the event is not the caller's. */
export const exportParticipants = streamedStatement(
  'exportParticipants',
  participantRow,
  (slots: Slots<ParticipantExportQuery & OfEvent>) => ({
    rows: sql`
      select ${participantColumns()}, registrations.registered_at as registered
      from registrations where ${isPaid(slots)}`,
    order: sql`registered, inscription_id`,
  }),
  { category: true, distance: true, kit_status: true },
);

export const participantsFile = (): ExportedFile<Participant> => ({
  fields: fieldsOf(participantRow()),
  toItems: (rows) => [...rows],
  what: 'participants',
});
