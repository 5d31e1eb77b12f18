import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { registrations } from '../db/schema.ts';
import {
  columnsOf,
  fieldsOf,
  instants,
  KIT_STATUSES,
  REGISTRATION_STATUSES,
  trimmed,
} from '../db/sql.ts';
import {
  listStatement,
  type OfEvent,
  type RowSchema,
  type Slot,
  type Slots,
  statement,
} from '../db/statement.ts';
import { ownEventId } from '../events/queries.ts';
import type { Participant } from './answer-schemas.ts';
import type { LookupQuery, ParticipantExportQuery } from './schemas.ts';

type Paid = OfEvent & ParticipantExportQuery & { after?: string | undefined };
type Lookup = OfEvent & Pick<LookupQuery, 'bib' | 'chip' | 'document'>;

const textOrNull = () => z.nullable(z.string());

/** A Participant: the columns of a registration, in the order of an exported file. */
export const participantRow = () =>
  z.strictObject({
    inscription_id: z.guid(),
    given_names: textOrNull(),
    surnames: textOrNull(),
    document: textOrNull(),
    email: textOrNull(),
    mobile_phone: textOrNull(),
    bib_number: textOrNull(),
    distance: textOrNull(),
    category: textOrNull(),
    kit_status: z.nullable(z.enum(KIT_STATUSES)),
    gender: textOrNull(),
    status: z.enum(REGISTRATION_STATUSES),
    registered_at: textOrNull(),
    chip: textOrNull(),
  });

participantRow satisfies RowSchema<Participant>;

const OWN_EXPRESSION = { inscription_id: true, registered_at: true } as const;

/** The columns of `participantRow`. */
export const participantColumns = (): SQL => {
  const plain = fieldsOf(z.omit(participantRow(), OWN_EXPRESSION));
  return sql`id as inscription_id, ${columnsOf<typeof registrations>(...plain)},
    ${instants('registered_at')}`;
};

const isOwnRegistration = (eventId: Slot, id: Slot): SQL =>
  sql`id = ${id} and event_id = ${ownEventId(eventId)}`;

/** The registration of `after`, in any status. */
export const findRegistration = statement(
  'findRegistration',
  () => z.strictObject({ id: z.guid() }),
  ({ eventId, id }: Slots<OfEvent & { id: string }>) =>
    sql`select id from registrations where ${isOwnRegistration(eventId, id)}`,
);

/** The status is a literal: a parameter would not always match the partial index. */
export const isPaid = ({ eventId, after, distance, category, kit_status }: Slots<Paid>): SQL => sql`
  event_id = ${ownEventId(eventId)} and status = 'PAID'
    ${after && isAfter(eventId, after)}
    ${distance && sql`and distance = ${distance}`}
    ${category && sql`and category = ${category}`}
    ${kit_status && sql`and kit_status = ${kit_status}`}`;

/** Registrations that follow the registration `id` in the list. The row comparison uses the index. */
const isAfter = (eventId: Slot, id: Slot): SQL => sql`
  and (registered_at, id) > (
    (select registered_at from registrations where ${isOwnRegistration(eventId, id)}), ${id}::uuid
  )`;

const isMatch = ({ eventId, bib, chip, document }: Slots<Lookup>): SQL => sql`
  event_id = ${ownEventId(eventId)} and status <> 'CANCELLED'
    ${bib && sql`and bib_number = ${bib}`}
    ${chip && sql`and ${trimmed(sql`chip`)} = ${chip}`}
    ${document && sql`and ${trimmed(sql`document`)} = ${document}`}`;

/** Registrations in the order of registration. */
const listed = (eventId: Slot, where: SQL) => ({
  of: ownEventId(eventId),
  columns: participantColumns(),
  table: 'registrations' as const,
  where,
  order: sql`registrations.registered_at, id`,
  idsFirst: true as const,
});

export const listPaid = listStatement(
  'listPaid',
  participantRow,
  (slots: Slots<Paid>) => listed(slots.eventId, isPaid(slots)),
  { after: true, category: true, distance: true, kit_status: true },
);

export const listMatches = listStatement(
  'listMatches',
  participantRow,
  (slots: Slots<Lookup>) => listed(slots.eventId, isMatch(slots)),
  { bib: true, chip: true, document: true },
);

/** The participant with this id; no row if the registration is not paid. */
export const findPaid = statement(
  'findPaid',
  participantRow,
  ({ eventId, id }: Slots<OfEvent & { id: string }>) => sql`
  select ${participantColumns()} from registrations
  where ${isOwnRegistration(eventId, id)} and status = 'PAID'`,
);
