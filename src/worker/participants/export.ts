import { sql } from 'drizzle-orm';
import { answered, type Slots } from '../db/statement.ts';
import { streamedStatement } from '../db/streamed-statement.ts';
import type { Participant } from './answer-schemas.ts';
import { isPaid, REGISTRATION } from './queries.ts';
import type { ParticipantExportQuery } from './schemas.ts';

/** The fields of the file, in their order. */
export const PARTICIPANT_FIELDS: readonly (keyof Participant)[] = [
  ...(['inscription_id', 'given_names', 'surnames', 'document', 'email', 'mobile_phone'] as const),
  ...(['bib_number', 'distance', 'category', 'kit_status', 'gender', 'status'] as const),
  ...(['registered_at', 'chip'] as const),
];

/** All participants that match, as of one moment; none if the event is not the caller's. */
export const exportParticipants = streamedStatement(
  answered<Participant>,
  () => PARTICIPANT_FIELDS,
  (slots: Slots<ParticipantExportQuery & { eventId: string }>) => ({
    rows: sql`
      select ${REGISTRATION}, registrations.registered_at as registered
      from registrations where ${isPaid(slots)}`,
    order: sql`registered, inscription_id`,
  }),
);
