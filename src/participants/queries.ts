import { and, count, eq, getTableColumns, ne, type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../caller/caller.ts';
import { registrations } from '../db/schema.ts';
import { ownEventId } from '../events/queries.ts';
import { limits, type PageQuery } from '../http/pagination.ts';
import type { LookupQuery } from './schemas.ts';

type Filter = SQL | undefined;

/** The status is a literal, not a parameter: only so does it always match the partial index. */
export const paidRegistrations = (caller: Caller, eventId: string): Filter =>
  and(
    eq(registrations.event_id, ownEventId(caller, eventId)),
    sql`${registrations.status} = 'PAID'`,
  );

export const registrationsLike = (
  caller: Caller,
  eventId: string,
  { bib, chip, document }: LookupQuery,
): Filter =>
  and(
    eq(registrations.event_id, ownEventId(caller, eventId)),
    ne(registrations.status, 'CANCELLED'),
    bib === undefined ? undefined : eq(registrations.bib_number, bib),
    chip === undefined ? undefined : eq(registrations.chip, chip),
    document === undefined ? undefined : eq(registrations.document, document),
  );

export const countRegistrations = ({ db }: Caller, filter: Filter) =>
  db.select({ total: count() }).from(registrations).where(filter);

export const listRegistrations = ({ db }: Caller, filter: Filter, page: PageQuery) => {
  const { limit, offset } = limits(page);
  const inOrder = [registrations.registered_at, registrations.id];
  // The rows before the page are passed over in the index alone, however many they are.
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
