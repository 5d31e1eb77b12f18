import { apiKeyPrefix, generateApiKey, hashApiKey } from '../caller/api-key.ts';
import { connect } from '../db/client.ts';
import { apiKeys, events, organizations, persons, registrations } from '../db/schema.ts';
import { SCOPES } from '../scopes.ts';
import { testConfig } from './harness.ts';

export const db = connect(testConfig.DATABASE_URL);

const MINUTE_MS = 60_000;

export async function createOrganization(): Promise<string> {
  const id = crypto.randomUUID();
  await db.insert(organizations).values({ id, name: `Club ${id.slice(0, 8)}` });
  return id;
}

/** A live key with every scope, unless told otherwise. */
export async function createKey(
  organizationId: string,
  overrides: Partial<typeof apiKeys.$inferInsert> = {},
): Promise<string> {
  const key = generateApiKey();
  await db.insert(apiKeys).values({
    organization_id: organizationId,
    name: 'Timing crew',
    key_prefix: apiKeyPrefix(key),
    key_hash: await hashApiKey(key),
    scopes: [...SCOPES],
    ...overrides,
  });
  return key;
}

export async function createEvent(
  organizationId: string,
  overrides: Partial<typeof events.$inferInsert> = {},
): Promise<string> {
  const id = overrides.id ?? crypto.randomUUID();
  await db.insert(events).values({
    organization_id: organizationId,
    name: 'Harbour Half',
    event_date: new Date(Date.now() + 60 * MINUTE_MS),
    city: 'Port Example',
    ...overrides,
    id,
  });
  return id;
}

export type RegistrationSeed = Partial<typeof registrations.$inferInsert>;

/** One registration a seed, each of a person of its own unless the seed names one. */
export async function createRegistrations(
  eventId: string,
  seeds: RegistrationSeed[],
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
    .values(rows.map((row) => ({ id: row.person_id })))
    .onConflictDoNothing();
  await db.insert(registrations).values(rows);
  return rows.map(({ id }) => id);
}

/** An organization with a key, an event and a registration for each of the bibs. */
export async function createRace({ bibs = [] as string[] } = {}) {
  const organizationId = await createOrganization();
  const [key, eventId] = await Promise.all([
    createKey(organizationId),
    createEvent(organizationId),
  ]);
  if (bibs.length > 0) {
    await createRegistrations(
      eventId,
      bibs.map((bib_number) => ({ bib_number })),
    );
  }
  return { organizationId, key, eventId, path: `/public/v1/events/${eventId}` };
}
