import { sql } from 'drizzle-orm';
import type { Slots } from '../db/statement.ts';
import { streamedStatement } from '../db/streamed-statement.ts';
import { isPaid, REGISTRATION, registrationRow } from './queries.ts';
import type { ParticipantExportQuery } from './schemas.ts';

/** All participants that match, as of one moment; none if the event is not the caller's. */
export const exportParticipants = streamedStatement(
  registrationRow,
  (slots: Slots<ParticipantExportQuery & { eventId: string }>) => ({
    rows: sql`
      select ${REGISTRATION}, registrations.registered_at as registered
      from registrations where ${isPaid(slots)}`,
    order: sql`registered, inscription_id`,
  }),
);

/** The CSV columns. */
export const participantFields = () => Object.keys(registrationRow().shape);
