import { sql } from 'drizzle-orm';
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
const KEYS_AT_ONCE = 1_000;

/** A database or a transaction, through any driver. */
export type Writer = Pick<PgDatabase<PgQueryResultHKT>, 'insert' | 'execute'>;

export type RegistrationSeed = Partial<typeof registrations.$inferInsert>;

/** @returns the organization's id */
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

/** Inserts live keys with every scope. @returns the keys in full */
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
  const values = await Promise.all(rows);
  // A statement takes some 65 000 parameters.
  for (let at = 0; at < count; at += KEYS_AT_ONCE) {
    await db.insert(apiKeys).values(values.slice(at, at + KEYS_AT_ONCE));
  }
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

/** Inserts paid registrations, and the persons that do not exist. @returns the ids of the registrations */
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
