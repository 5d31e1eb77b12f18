import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { instants, trimmed } from '../db/sql.ts';
import { answered, listStatement, type Slot, type Slots, statement } from '../db/statement.ts';
import { ownEventId } from '../events/queries.ts';
import type { Participant } from './answer-schemas.ts';
import type { LookupQuery, ParticipantExportQuery } from './schemas.ts';

type OfEvent = { eventId: string };
type Paid = OfEvent & ParticipantExportQuery & { after?: string | undefined };
type Lookup = OfEvent & Pick<LookupQuery, 'bib' | 'chip' | 'document'>;

/** The columns of a Participant: the data that the person filled in. */
export const REGISTRATION = sql`id as inscription_id, given_names, surnames, document, email, mobile_phone,
  bib_number, distance, category, kit_status, gender, status, ${instants('registered_at')}, chip`;

const isOwnRegistration = (eventId: Slot, id: Slot): SQL =>
  sql`id = ${id} and event_id = ${ownEventId(eventId)}`;

/** The registration that `after` names, in any status. */
export const findRegistration = statement(
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

/** Registrations that follow another one in the list. The row comparison uses the index. */
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
  columns: REGISTRATION,
  table: sql`registrations`,
  where,
  order: sql`registrations.registered_at, id`,
  idsFirst: true as const,
});

export const listPaid = listStatement(answered<Participant>, (slots: Slots<Paid>) =>
  listed(slots.eventId, isPaid(slots)),
);

export const listMatches = listStatement(answered<Participant>, (slots: Slots<Lookup>) =>
  listed(slots.eventId, isMatch(slots)),
);

/** The participant with this id; no row if the registration is not paid. */
export const findPaid = statement(
  answered<Participant>,
  ({ eventId, id }: Slots<OfEvent & { id: string }>) => sql`
  select ${REGISTRATION} from registrations
  where ${isOwnRegistration(eventId, id)} and status = 'PAID'`,
);
