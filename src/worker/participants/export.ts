import { sql } from 'drizzle-orm';
import { epochMs } from '../db/query-builder.ts';
import { KIT_STATUSES, REGISTRATION_STATUSES, registrations } from '../db/schema.ts';
import type { Slots } from '../db/statement.ts';
import {
  numberOrNull,
  oneOfTexts,
  required,
  type StreamedRow,
  streamedStatement,
  text,
} from '../db/streamed-statement.ts';
import { ownEventId } from '../events/queries.ts';
import type { Participant } from './answer-schemas.ts';
import { toParticipant } from './participant.ts';
import type { ParticipantExportQuery } from './schemas.ts';

const COLUMNS = {
  id: required(text),
  given_names: text,
  surnames: text,
  document: text,
  email: text,
  mobile_phone: text,
  bib_number: text,
  distance: text,
  category: text,
  kit_status: oneOfTexts(KIT_STATUSES),
  gender: text,
  status: required(oneOfTexts(REGISTRATION_STATUSES)),
  registered_at_ms: required(numberOrNull),
  chip: text,
};

type ExportedRow = StreamedRow<typeof COLUMNS>;

const FILTERS = ['distance', 'category', 'kit_status'] as const;

/** All participants that match, as of one moment; none if the event is not the caller's. */
export const exportParticipants = streamedStatement(
  COLUMNS,
  ({ eventId, ...filters }: Slots<ParticipantExportQuery & { eventId: string }>) => {
    const asked = FILTERS.flatMap((name) =>
      filters[name] ? sql`and ${sql.identifier(name)} = ${filters[name]}` : [],
    );
    return {
      rows: sql`
        select id, given_names, surnames, document, email, mobile_phone, bib_number, distance, category,
          kit_status, gender, status, ${epochMs(sql`registered_at`)} as registered_at_ms, registered_at, chip
        from ${registrations}
        where event_id = (${ownEventId(eventId)}) and status = 'PAID' ${sql.join(asked, sql` `)}`,
      order: sql`registered_at, id`,
    };
  },
);

export const toExportedParticipants = (rows: readonly ExportedRow[]): Participant[] =>
  rows.map(({ digest: _, registered_at_ms, ...row }) =>
    toParticipant({ ...row, registered_at: new Date(registered_at_ms) }),
  );

/** The CSV columns. */
export const PARTICIPANT_FIELDS = [
  ...[
    'inscription_id',
    'given_names',
    'surnames',
    'document',
    'email',
    'mobile_phone',
    'bib_number',
  ],
  ...['distance', 'category', 'kit_status', 'gender', 'status', 'registered_at', 'chip'],
];
