import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
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
export type Writer = Pick<PgDatabase<PgQueryResultHKT>, 'insert'>;

export type RegistrationSeed = Partial<typeof registrations.$inferInsert>;

/** Inserts an organization. The rest of this file fills it. @returns its id */
export async function insertOrganization(
  db: Writer,
  overrides: Partial<typeof organizations.$inferInsert> = {},
): Promise<string> {
  const id = overrides.id ?? crypto.randomUUID();
  await db.insert(organizations).values({ name: `Club ${id.slice(0, 8)}`, ...overrides, id });
  return id;
}

/** @returns the user's id */
export async function insertMember(
  db: Writer,
  organizationId: string,
  role: typeof organizationMembers.$inferInsert.role = 'owner',
  userId = `user-${crypto.randomUUID()}`,
): Promise<string> {
  await db
    .insert(organizationMembers)
    .values({ organization_id: organizationId, user_id: userId, role });
  return userId;
}

/** Inserts live keys with every scope, unless the overrides differ. @returns the keys in full */
export async function insertKeys(
  db: Writer,
  organizationId: string,
  count: number,
  overrides: Partial<typeof apiKeys.$inferInsert> = {},
): Promise<string[]> {
  const keys = Array.from({ length: count }, generateApiKey);
  const rows = keys.map(async (key) => ({
    organization_id: organizationId,
    name: 'Timing crew',
    key_prefix: apiKeyPrefix(key),
    key_hash: await hashApiKey(key),
    scopes: [...SCOPES],
    ...overrides,
  }));
  await db.insert(apiKeys).values(await Promise.all(rows));
  return keys;
}

export async function insertKey(
  db: Writer,
  organizationId: string,
  overrides: Partial<typeof apiKeys.$inferInsert> = {},
): Promise<string> {
  const [key = ''] = await insertKeys(db, organizationId, 1, overrides);
  return key;
}

/** @returns the event's id */
export async function insertEvent(
  db: Writer,
  organizationId: string,
  overrides: Partial<typeof events.$inferInsert> = {},
): Promise<string> {
  const id = overrides.id ?? crypto.randomUUID();
  await db.insert(events).values({
    organization_id: organizationId,
    name: 'Harbour Half',
    event_date: new Date(Date.now() + DAY_MS),
    city: 'Port Example',
    ...overrides,
    id,
  });
  return id;
}

/** Inserts a paid registration for each seed, and its person unless one exists. @returns the ids */
export async function insertRegistrations(
  db: Writer,
  eventId: string,
  seeds: readonly RegistrationSeed[],
): Promise<string[]> {
  const rows = seeds.map((seed) => ({
    status: 'PAID' as const,
    ...seed,
    id: seed.id ?? crypto.randomUUID(),
    person_id: seed.person_id ?? crypto.randomUUID(),
    event_id: eventId,
  }));
  await db
    .insert(persons)
    .values(rows.map(({ person_id: id, given_names, surnames }) => ({ id, given_names, surnames })))
    .onConflictDoNothing();
  await db.insert(registrations).values(rows);
  return rows.map(({ id }) => id);
}
