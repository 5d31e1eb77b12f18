import { sql } from 'drizzle-orm';
import { isoText } from '../db/sql.ts';
import type { Slots } from '../db/statement.ts';
import { streamedStatement } from '../db/streamed-statement.ts';
import { isPaid, REGISTRATION, registrationRow } from './queries.ts';
import type { ParticipantExportQuery } from './schemas.ts';

/** All participants that match, as of one moment; none if the event is not the caller's. */
export const exportParticipants = streamedStatement(
  registrationRow,
  (slots: Slots<ParticipantExportQuery & { eventId: string }>) => ({
    rows: sql`select ${REGISTRATION} from registrations where ${isPaid(slots)}`,
    order: sql`registered_at, inscription_id`,
  }),
  { registered_at: isoText(sql`registered_at`) },
);

/** The CSV columns. */
export const participantFields = () => Object.keys(registrationRow().shape);
