import {
  insertEvent,
  insertKey,
  insertOrganization,
  insertRegistrations,
  type RegistrationSeed,
} from '../dev/stack/seed.ts';
import type { apiKeys, events, organizations } from '../worker/db/schema.ts';
import { openDatabase } from './database.ts';
import { testConfig } from './harness.ts';

export const db = openDatabase(testConfig.DATABASE_URL);

const HOUR_MS = 3_600_000;

export type { RegistrationSeed };

export const createOrganization = (
  overrides?: Partial<typeof organizations.$inferInsert>,
): Promise<string> => insertOrganization(db, overrides);

/** Creates a live key with every scope. */
export const createKey = (
  organizationId: string,
  overrides: Partial<typeof apiKeys.$inferInsert> = {},
): Promise<string> => insertKey(db, organizationId, overrides);

/** An event in an hour, unless the overrides differ. */
export const createEvent = (
  organizationId: string,
  overrides: Partial<typeof events.$inferInsert> = {},
): Promise<string> =>
  insertEvent(db, organizationId, { event_date: new Date(Date.now() + HOUR_MS), ...overrides });

/** One registration for each seed, each of a person of its own unless the seed names one. */
export const createRegistrations = (
  eventId: string,
  seeds: readonly RegistrationSeed[],
): Promise<string[]> => insertRegistrations(db, eventId, seeds);

/** Creates an organization with a key, and an event with these bibs. */
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
