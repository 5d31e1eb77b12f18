import { and, count, eq, getTableColumns, ne, type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../auth/api-key/require-scope.ts';
import { registrations, trimmed } from '../db/schema.ts';
import { ownEventId } from '../events/queries.ts';
import { limits, type PageQuery } from '../http/pagination.ts';
import type { LookupQuery, ParticipantQuery } from './schemas.ts';

type Filter = SQL | undefined;

const ownRegistration = (caller: Caller, eventId: string, id: string): Filter =>
  and(eq(registrations.id, id), eq(registrations.event_id, ownEventId(caller, eventId)));

/** The registration that `after` names, in any status. */
export const findRegistration = (caller: Caller, eventId: string, id: string) =>
  caller.db
    .select({ id: registrations.id })
    .from(registrations)
    .where(ownRegistration(caller, eventId, id));

/** The status is a literal: a parameter would not always match the partial index. */
export const paidRegistrations = (
  caller: Caller,
  eventId: string,
  { after }: Pick<ParticipantQuery, 'after'> = {},
): Filter =>
  and(
    eq(registrations.event_id, ownEventId(caller, eventId)),
    sql`${registrations.status} = 'PAID'`,
    after === undefined ? undefined : isAfter(caller, eventId, after),
  );

/** Registrations that follow another one in the list. The row comparison uses the index. */
const isAfter = (caller: Caller, eventId: string, id: string): SQL => {
  const registeredAt = caller.db
    .select({ registered_at: registrations.registered_at })
    .from(registrations)
    .where(ownRegistration(caller, eventId, id));
  return sql`(${registrations.registered_at}, ${registrations.id}) > (${registeredAt}, ${id}::uuid)`;
};

export const matchingRegistrations = (
  caller: Caller,
  eventId: string,
  { bib, chip, document }: LookupQuery,
): Filter =>
  and(
    eq(registrations.event_id, ownEventId(caller, eventId)),
    ne(registrations.status, 'CANCELLED'),
    bib === undefined ? undefined : eq(registrations.bib_number, bib),
    chip === undefined ? undefined : eq(trimmed(registrations.chip), chip),
    document === undefined ? undefined : eq(trimmed(registrations.document), document),
  );

export const countRegistrations = ({ db }: Caller, filter: Filter) =>
  db.select({ total: count() }).from(registrations).where(filter);

export const listRegistrations = ({ db }: Caller, filter: Filter, page: PageQuery) => {
  const { limit, offset } = limits(page);
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
