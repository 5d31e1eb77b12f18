import {
  type EventSeed,
  type EventSettings,
  insertEvent,
  insertKey,
  insertOrganization,
  insertRace,
  insertRegistrations,
  type RegistrationSeed,
  setUpEvent,
} from '../dev/stack/seed.ts';
import { type apiKeys, eventStarts, type organizations } from '../worker/db/schema.ts';
import { openDatabase } from './database.ts';
import { testConfig } from './harness.ts';

export const db = openDatabase(testConfig.DATABASE_URL);

const inAnHour = () => ({ event_date: new Date(Date.now() + 3_600_000) });

export type { EventSeed, RegistrationSeed };

export const createOrganization = (
  overrides?: Partial<typeof organizations.$inferInsert>,
): Promise<string> => insertOrganization(db, overrides);

/** Creates a live key with every scope. */
export const createKey = (
  organizationId: string,
  overrides: Partial<typeof apiKeys.$inferInsert> = {},
): Promise<string> => insertKey(db, organizationId, overrides);

/** An event in an hour, unless the overrides differ. */
export const createEvent = (organizationId: string, overrides: EventSeed = {}): Promise<string> =>
  insertEvent(db, organizationId, { ...inAnHour(), ...overrides });

/** Sets an organization's settings of its event. */
export const configureEvent = (eventId: string, settings: EventSettings): Promise<void> =>
  setUpEvent(db, eventId, settings);

/** A registration for each seed, each with its own person unless the seed names a person. */
export const createRegistrations = (
  eventId: string,
  seeds: readonly RegistrationSeed[],
): Promise<string[]> => insertRegistrations(db, eventId, seeds);

/** Creates an organization with a key, and an event with these bibs. */
export const createRace = ({ bibs = [] as string[] } = {}) =>
  insertRace(
    db,
    bibs.map((bib_number) => ({ bib_number })),
    { event: inAnHour() },
  );

/** Sends a start of an event: the start of all runners, unless the overrides differ. */
export const createStart = (
  eventId: string,
  starts_at: Date,
  overrides: Partial<typeof eventStarts.$inferInsert> = {},
) =>
  db.insert(eventStarts).values({
    event_id: eventId,
    ordinal: 1,
    name: 'Gun',
    starts_at,
    utc_offset_minutes: null,
    ...overrides,
  });
