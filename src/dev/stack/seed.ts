import { getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT, PgTable } from 'drizzle-orm/pg-core';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import {
  apiKeys,
  events,
  organizationMembers,
  organizations,
  persons,
  registrations,
} from '../../worker/db/schema.ts';
import { SCOPES } from '../../worker/scopes.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A database or a transaction, through any driver. */
export type Writer = Pick<PgDatabase<PgQueryResultHKT>, 'execute'>;

type Rows<Table extends PgTable> = readonly Table['$inferInsert'][];
type KeySeed = Partial<typeof apiKeys.$inferInsert>;
type EventSeed = Partial<typeof events.$inferInsert>;
export type RegistrationSeed = Partial<typeof registrations.$inferInsert>;

/** Rows of a table as a part of a statement. A column that no row names gets its default. */
function inserted<Table extends PgTable>(table: Table, rows: Rows<Table>): SQL[] {
  if (rows.length === 0) return [];
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = sql.join(
    [...names].map((name) => sql.identifier(name)),
    sql`, `,
  );
  // A person may have more than one registration.
  const onConflict = getTableName(table) === 'persons' ? sql`on conflict do nothing` : sql``;
  return [
    sql`insert into ${table} (${columns})
    select ${columns} from json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json)
    ${onConflict}`,
  ];
}

/** Runs inserts in one statement. Foreign keys are checked at its end. */
async function insertTogether(db: Writer, inserts: readonly SQL[]): Promise<void> {
  const parts = inserts.map((insert, at) => sql`${sql.raw(`part_${at}`)} as (${insert})`);
  await db.execute(sql`with ${sql.join(parts, sql`, `)} select`);
}

const organizationRow = (overrides: Partial<typeof organizations.$inferInsert> = {}) => {
  const id = overrides.id ?? crypto.randomUUID();
  return { name: `Club ${id.slice(0, 8)}`, ...overrides, id };
};

const keyRow = async (organizationId: string, key: string, overrides: KeySeed = {}) => ({
  organization_id: organizationId,
  name: 'Timing crew',
  key_prefix: apiKeyPrefix(key),
  key_hash: await hashApiKey(key),
  scopes: [...SCOPES],
  ...overrides,
});

const eventRow = (organizationId: string, overrides: EventSeed = {}) => ({
  organization_id: organizationId,
  name: 'Harbour Half',
  event_date: new Date(Date.now() + DAY_MS),
  city: 'Port Example',
  ...overrides,
  id: overrides.id ?? crypto.randomUUID(),
});

/** Paid registrations, each of a person of its own unless the seed names one. */
function registered(eventId: string, seeds: readonly RegistrationSeed[]) {
  const registered_at = new Date();
  const rows = seeds.map((seed) => ({
    status: 'PAID' as const,
    registered_at,
    ...seed,
    id: seed.id ?? crypto.randomUUID(),
    person_id: seed.person_id ?? crypto.randomUUID(),
    event_id: eventId,
  }));
  const people = rows.map(({ person_id: id, given_names, surnames }) => ({
    id,
    given_names,
    surnames,
  }));
  return { rows, inserts: [...inserted(persons, people), ...inserted(registrations, rows)] };
}

/** @returns the organization's id */
export async function insertOrganization(
  db: Writer,
  overrides: Partial<typeof organizations.$inferInsert> = {},
): Promise<string> {
  const row = organizationRow(overrides);
  await insertTogether(db, inserted(organizations, [row]));
  return row.id;
}

/** @returns the user's id */
export async function insertMember(
  db: Writer,
  organizationId: string,
  role: typeof organizationMembers.$inferInsert.role = 'owner',
  userId = `user-${crypto.randomUUID()}`,
): Promise<string> {
  const row = { organization_id: organizationId, user_id: userId, role };
  await insertTogether(db, inserted(organizationMembers, [row]));
  return userId;
}

/** Inserts a live key with every scope. @returns the key in full */
export async function insertKey(
  db: Writer,
  organizationId: string,
  overrides: KeySeed = {},
): Promise<string> {
  const key = generateApiKey();
  await insertTogether(db, inserted(apiKeys, [await keyRow(organizationId, key, overrides)]));
  return key;
}

/** @returns the event's id */
export async function insertEvent(
  db: Writer,
  organizationId: string,
  overrides: EventSeed = {},
): Promise<string> {
  const row = eventRow(organizationId, overrides);
  await insertTogether(db, inserted(events, [row]));
  return row.id;
}

/** Inserts paid registrations, and the persons that do not exist. @returns the ids of the registrations */
export async function insertRegistrations(
  db: Writer,
  eventId: string,
  seeds: readonly RegistrationSeed[],
): Promise<string[]> {
  const { rows, inserts } = registered(eventId, seeds);
  await insertTogether(db, inserts);
  return rows.map(({ id }) => id);
}

/** Inserts an organization with live keys with every scope, and its event with these registrations. */
export async function insertRace(
  db: Writer,
  seeds: readonly RegistrationSeed[] = [],
  { keyCount = 1, event = {} as EventSeed } = {},
) {
  const organization = organizationRow();
  const keys = Array.from({ length: keyCount }, generateApiKey);
  const row = eventRow(organization.id, event);
  await insertTogether(db, [
    ...inserted(organizations, [organization]),
    ...inserted(apiKeys, await Promise.all(keys.map((key) => keyRow(organization.id, key)))),
    ...inserted(events, [row]),
    ...registered(row.id, seeds).inserts,
  ]);
  const path = `/public/v1/events/${row.id}`;
  return { organizationId: organization.id, eventId: row.id, path, keys, key: keys[0] ?? '' };
}

/**
 * Inserts synthetic runners with the bibs 1 to `count`. Most have paid and collected their kit. Every 20th is
 * pending, every 25th cancelled.
 */
export async function insertRunners(db: Writer, eventId: string, count: number): Promise<void> {
  await db.execute(sql`
    with runner as (
      select n, gen_random_uuid() as person_id,
        (array['Ada', 'Bruno', 'Carla', 'Dario', 'Elena', 'Fabio', 'Greta', 'Hugo', 'Irene'])[1 + n % 9]
          as given_names,
        concat_ws(' ', (${SURNAMES})[1 + n % 7], (${SURNAMES})[1 + (n / 7 + 1) % 7]) as surnames,
        (90000000 + n)::text as document, 'runner' || n || '@example.org' as email,
        '+000 555 ' || lpad(n::text, 4, '0') as mobile_phone,
        (array['F', 'M', 'X'])[1 + n % 3] as gender
      from generate_series(1, ${count}::int) n
    ), person as (
      insert into persons (id, given_names, surnames, document, email, mobile_phone, gender)
      select person_id, given_names, surnames, document, email, mobile_phone, gender from runner
    )
    insert into registrations (event_id, person_id, given_names, surnames, document, email, mobile_phone,
      gender, status, bib_number, chip, distance, category, kit_status, registered_at)
    select ${eventId}::uuid, person_id, given_names, surnames, document, email, mobile_phone, gender,
      case when n % 25 = 0 then 'CANCELLED' when n % 20 = 0 then 'PENDING' else 'PAID' end,
      n::text, 'CHIP' || lpad(n::text, 5, '0'), (array['10K', '21K'])[1 + n % 2],
      (array['18-29', '30-39', '40-49', '50-59', '60+'])[1 + n % 5],
      case when n % 3 = 0 then 'READY' else 'DELIVERED' end,
      now() - interval '30 days' + n * interval '1 second'
    from runner`);
}

const SURNAMES = sql`array['Ejemplo', 'Muestra', 'Prueba', 'Modelo', 'Ensayo', 'Ficticio', 'Sintético']`;
