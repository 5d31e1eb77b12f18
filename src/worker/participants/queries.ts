import { and, eq, getTableColumns, ne, type SQL, sql } from 'drizzle-orm';
import { db, rowCount } from '../db/query-builder.ts';
import { registrations, trimmed } from '../db/schema.ts';
import { type Slot, type Slots, statement } from '../db/statement.ts';
import { ownEventId } from '../events/queries.ts';
import type { Limits } from '../http/pagination.ts';

type Filters = {
  distance?: string | undefined;
  category?: string | undefined;
  kit_status?: string | undefined;
};
type Paid = Filters & { eventId: string; after?: string | undefined };
type Lookup = {
  eventId: string;
  bib?: string | undefined;
  chip?: string | undefined;
  document?: string | undefined;
};

const isOwnRegistration = (eventId: Slot, id: Slot) =>
  and(eq(registrations.id, id), eq(registrations.event_id, ownEventId(eventId)));

/** The registration that `after` names, in any status. */
export const findRegistration = statement(
  ({ eventId, id }: Slots<{ eventId: string; id: string }>) =>
    db.select({ id: registrations.id }).from(registrations).where(isOwnRegistration(eventId, id)),
);

/** The status is a literal: a parameter would not always match the partial index. */
const isPaid = ({ eventId, after, distance, category, kit_status }: Slots<Paid>) =>
  and(
    eq(registrations.event_id, ownEventId(eventId)),
    sql`${registrations.status} = 'PAID'`,
    after && isAfter(eventId, after),
    distance && eq(registrations.distance, distance),
    category && eq(registrations.category, category),
    kit_status && sql`${registrations.kit_status} = ${kit_status}`,
  );

/** Registrations that follow another one in the list. The row comparison uses the index. */
const isAfter = (eventId: Slot, id: Slot): SQL => {
  const registeredAt = db
    .select({ registered_at: registrations.registered_at })
    .from(registrations)
    .where(isOwnRegistration(eventId, id));
  return sql`(${registrations.registered_at}, ${registrations.id}) > (${registeredAt}, ${id}::uuid)`;
};

const isMatch = ({ eventId, bib, chip, document }: Slots<Lookup>) =>
  and(
    eq(registrations.event_id, ownEventId(eventId)),
    ne(registrations.status, 'CANCELLED'),
    bib && eq(registrations.bib_number, bib),
    chip && eq(trimmed(registrations.chip), chip),
    document && eq(trimmed(registrations.document), document),
  );

const countWhere = (filter: SQL | undefined) =>
  db.select({ total: rowCount }).from(registrations).where(filter);

const pageWhere = (filter: SQL | undefined, { limit, offset }: Slots<Limits>) => {
  const inOrder = [registrations.registered_at, registrations.id];
  // An index-only scan skips the rows before the page.
  const ids = db
    .select({ id: registrations.id })
    .from(registrations)
    .where(filter)
    .orderBy(...inOrder)
    .limit(limit)
    .offset(offset)
    .as('ids');
  return db
    .select(getTableColumns(registrations))
    .from(registrations)
    .innerJoin(ids, eq(registrations.id, ids.id))
    .orderBy(...inOrder);
};

export const countPaid = statement((slots: Slots<Paid>) => countWhere(isPaid(slots)));

export const listPaid = statement((slots: Slots<Paid & Limits>) => pageWhere(isPaid(slots), slots));

/** The participant with this id; no row if the registration is not paid. */
export const findPaid = statement(({ eventId, id }: Slots<{ eventId: string; id: string }>) =>
  db
    .select(getTableColumns(registrations))
    .from(registrations)
    .where(and(isOwnRegistration(eventId, id), eq(registrations.status, 'PAID'))),
);

export const countMatches = statement((slots: Slots<Lookup>) => countWhere(isMatch(slots)));

export const listMatches = statement((slots: Slots<Lookup & Limits>) =>
  pageWhere(isMatch(slots), slots),
);
