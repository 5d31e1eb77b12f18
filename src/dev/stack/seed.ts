import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT, PgTable } from 'drizzle-orm/pg-core';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import {
  apiKeys,
  eventSettings,
  events,
  organizationMembers,
  organizations,
  persons,
  registrations,
} from '../../worker/db/schema.ts';
import { SCOPES } from '../../worker/scopes.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const MINUTE_MS = 60_000;

/** A database or a transaction, through any driver. */
export type Writer = Pick<PgDatabase<PgQueryResultHKT>, 'execute'>;

type Rows<Table extends PgTable> = readonly Table['$inferInsert'][];
type OrganizationSeed = Partial<typeof organizations.$inferInsert>;
type KeySeed = Partial<typeof apiKeys.$inferInsert>;
export type EventSeed = Partial<typeof events.$inferInsert> & EventSettings;
export type EventSettings = Omit<Partial<typeof eventSettings.$inferInsert>, 'event_id'>;
export type RegistrationSeed = Partial<typeof registrations.$inferInsert>;

/** Rows of a table as a part of a statement. A column without a value in any row gets its default. */
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

/** Runs inserts in a single statement. Foreign keys are checked at the end of the statement. */
async function insertTogether(db: Writer, inserts: readonly SQL[]): Promise<void> {
  const parts = inserts.map((insert, at) => sql`${sql.raw(`part_${at}`)} as (${insert})`);
  await db.execute(sql`with ${sql.join(parts, sql`, `)} select`);
}

const organizationRow = (overrides: OrganizationSeed = {}) => {
  const id = overrides.id ?? crypto.randomUUID();
  return { name: `Club ${id.slice(0, 8)}`, ...overrides, id };
};

const keyRow = async (organizationId: string, key: string, overrides: KeySeed = {}) => ({
  organization_id: organizationId,
  name: 'Timing crew',
  key_prefix: apiKeyPrefix(key),
  key_hash: hashApiKey(key),
  scopes: [...SCOPES],
  ...overrides,
});

/** A new event, and the row of its settings if the seed has settings. */
function eventWith(organizationId: string, seed: EventSeed = {}) {
  const id = seed.id ?? crypto.randomUUID();
  const isSetting = ([name]: [string, unknown]) => name in getTableColumns(eventSettings);
  const given = Object.entries(seed);
  const row = {
    organization_id: organizationId,
    name: 'Harbour Half',
    // A preview says that an event a whole day away is not today's.
    event_date: new Date(Date.now() + DAY_MS - MINUTE_MS),
    city: 'Port Example',
    ...Object.fromEntries(given.filter((entry) => !isSetting(entry))),
    id,
  };
  const settings = given.filter(isSetting);
  const settingsRow = { ...Object.fromEntries(settings), event_id: id };
  return {
    id,
    inserts: [
      ...inserted(events, [row]),
      ...inserted(eventSettings, settings.length > 0 ? [settingsRow] : []),
    ],
  };
}

const OF_PERSON = Object.keys(getTableColumns(persons)).filter((name) => name in registrations);

/** Paid registrations, each with its own person unless the seed names a person. */
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
  const people = rows.map(({ person_id, ...row }) => ({
    ...Object.fromEntries(Object.entries(row).filter(([name]) => OF_PERSON.includes(name))),
    id: person_id,
  }));
  return { rows, inserts: [...inserted(persons, people), ...inserted(registrations, rows)] };
}

async function insertRow<Table extends PgTable, Row extends Table['$inferInsert']>(
  db: Writer,
  table: Table,
  row: Row,
): Promise<Row> {
  await insertTogether(db, inserted(table, [row]));
  return row;
}

/** @returns the organization's id */
export const insertOrganization = async (db: Writer, overrides?: OrganizationSeed) =>
  (await insertRow(db, organizations, organizationRow(overrides))).id;

/** @returns the user's id */
export const insertMember = async (
  db: Writer,
  organization_id: string,
  role: typeof organizationMembers.$inferInsert.role = 'owner',
  user_id = `user-${crypto.randomUUID()}`,
) => (await insertRow(db, organizationMembers, { organization_id, user_id, role })).user_id;

/** Inserts a live key with every scope. @returns the key in full */
export async function insertKey(db: Writer, organizationId: string, overrides?: KeySeed) {
  const key = generateApiKey();
  await insertRow(db, apiKeys, await keyRow(organizationId, key, overrides));
  return key;
}

/** @returns the event's id */
export async function insertEvent(db: Writer, organizationId: string, seed?: EventSeed) {
  const { id, inserts } = eventWith(organizationId, seed);
  await insertTogether(db, inserts);
  return id;
}

/** Sets an organization's settings of its event. */
export async function setUpEvent(
  db: Writer,
  event_id: string,
  settings: EventSettings,
): Promise<void> {
  const changes = Object.keys(settings).map(
    (name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  );
  const [insert] = inserted(eventSettings, [{ event_id, ...settings }]);
  await db.execute(
    sql`${insert} on conflict (event_id) do update set ${sql.join(changes, sql`, `)}`,
  );
}

/** Inserts paid registrations, and the missing persons. @returns the ids of the registrations */
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
  {
    keyCount = 1,
    organization: organizationSeed = {} as OrganizationSeed,
    event: eventSeed = {} as EventSeed,
  } = {},
) {
  const organization = organizationRow(organizationSeed);
  const keys = Array.from({ length: keyCount }, generateApiKey);
  const event = eventWith(organization.id, eventSeed);
  await insertTogether(db, [
    ...inserted(organizations, [organization]),
    ...inserted(apiKeys, await Promise.all(keys.map((key) => keyRow(organization.id, key)))),
    ...event.inserts,
    ...registered(event.id, seeds).inserts,
  ]);
  const path = `/public/v1/events/${event.id}`;
  return { organizationId: organization.id, eventId: event.id, path, keys, key: keys[0] ?? '' };
}

/**
 * Synthetic runners with the bibs 1 to `count`. Most have paid and collected their kit. Every 20th is pending,
 * every 25th cancelled.
 */
export function runners(count: number): RegistrationSeed[] {
  const firstAt = Date.now() - 30 * DAY_MS;
  return Array.from({ length: count }, (_, index) => {
    const n = index + 1;
    const pick = (from: readonly string[], at = n) => from[at % from.length] ?? '';
    const digits = (length: number) => String(n).padStart(length, '0');
    return {
      given_names: pick(GIVEN_NAMES),
      surnames: `${pick(SURNAMES)} ${pick(SURNAMES, Math.floor(n / SURNAMES.length) + 1)}`,
      document: `${90_000_000 + n}`,
      email: `runner${n}@example.org`,
      mobile_phone: `+000 555 ${digits(4)}`,
      gender: pick(['F', 'M', 'X']),
      status: n % 25 === 0 ? 'CANCELLED' : n % 20 === 0 ? 'PENDING' : 'PAID',
      bib_number: `${n}`,
      chip: `CHIP${digits(5)}`,
      distance: pick(['10K', '21K']),
      category: pick(['18-29', '30-39', '40-49', '50-59', '60+']),
      kit_status: n % 3 === 0 ? 'READY' : 'DELIVERED',
      registered_at: new Date(firstAt + n * 1_000),
    };
  });
}

const GIVEN_NAMES = 'Ada Bruno Carla Dario Elena Fabio Greta Hugo Irene'.split(' ');
const SURNAMES = 'Ejemplo Muestra Prueba Modelo Ensayo Ficticio Sintético'.split(' ');
