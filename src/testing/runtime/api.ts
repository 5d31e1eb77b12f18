import { randomBytes, randomUUID } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import { inject } from 'vitest';
import type { Fault } from '../../dev/stack/gateway.ts';
import {
  insertKey,
  insertMember,
  insertRace,
  insertRegistrations,
  type RegistrationSeed,
} from '../../dev/stack/seed.ts';
import { signSession } from '../../dev/stack/session.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { apiKeys, registrations, results } from '../../worker/db/schema.ts';
import type { Scope } from '../../worker/scopes.ts';
import { openDatabase } from '../database.ts';
import { type Service, setFault, tagged } from '../faults.ts';
import { startWorkerd, type Workerd, type WorkerdOptions } from './workerd.ts';

const SERVICES: readonly Service[] = ['postgres', 'redis'];

/** The deployed Worker behind HTTP, on the shared stack of a run. */
export type RunningApi = Workerd & {
  /** The output lines of the Worker and the runtime. */
  printed: readonly string[];
  /** The tag of the Worker's requests: only tagged requests meet the tag's faults. */
  tag: string;
  /** Sets a fault for this Worker alone. */
  breakService(service: Service, fault: Fault): Promise<void>;
  mendServices(): Promise<void>;
  /** Creates an event with the bibs 1 to `runners`. */
  createRace(runners: number, registration?: Registered): Promise<Race>;
};

/** The values of all registrations, or of each bib. */
export type Registered = RegistrationSeed | ((bib: number) => RegistrationSeed);

export type Race = {
  organizationId: string;
  eventId: string;
  apiKey: string;
  sessionToken: string;
  cancel(registrationIds: string[]): Promise<void>;
  /** Gives a registration another bib. */
  renumber(registrationId: string, bib: string | null): Promise<void>;
  /** Moves a registration to another distance. */
  move(registrationId: string, distance: string): Promise<void>;
  /** Deletes a registration with its result. */
  drop(registrationId: string): Promise<void>;
  /** Adds a registration with this bib. */
  register(bib: string): Promise<void>;
  /** Loses the result of a bib, as a restored backup does. */
  forget(bib: string): Promise<void>;
  /** Creates a further key of the organization, with its own rate limit. */
  createKey(scopes?: Scope[]): Promise<string>;
  /** Creates a further owner of the organization. @returns the token of a session, with its own rate limit */
  createSession(): Promise<string>;
  revokeKey(): Promise<void>;
};

export async function startApi(
  env: Stack['workerEnv'],
  options: Pick<WorkerdOptions, 'heapLimitMib' | 'refusals'> = {},
): Promise<RunningApi> {
  const tag = randomUUID();
  const secret = randomBytes(32).toString('base64url');
  const printed: string[] = [];
  const workerd = await startWorkerd(inject('worker').folder, {
    ...options,
    bindings: { ...tagged(env, tag), PANEL_JWT_SECRET: secret },
    onLine: (line) => printed.push(line),
  });
  return {
    ...workerd,
    printed,
    tag,
    breakService: (service, fault) => setFault(env, service, tag, fault),
    async mendServices() {
      for (const service of SERVICES) await setFault(env, service, tag);
    },
    createRace: (runners, registration = {}) =>
      createRace(env.DATABASE_URL, secret, runners, registration),
  };
}

async function createRace(
  databaseUrl: string,
  secret: string,
  runners: number,
  registered: Registered,
): Promise<Race> {
  const db = openDatabase(databaseUrl);
  const registrationOf = (bib: number) =>
    typeof registered === 'function' ? registered(bib) : registered;
  const seeds = Array.from({ length: runners }, (_, index) => ({
    ...registrationOf(index + 1),
    bib_number: `${index + 1}`,
    document: `${90_000_001 + index}`,
  }));
  const { organizationId, eventId, key: apiKey } = await insertRace(db, seeds);
  const createSession = async () =>
    signSession({ sub: await insertMember(db, organizationId) }, secret);
  return {
    organizationId,
    eventId,
    apiKey,
    sessionToken: await createSession(),
    createSession,
    async cancel(registrationIds) {
      await db
        .update(registrations)
        .set({ status: 'CANCELLED' })
        .where(inArray(registrations.id, registrationIds));
    },
    async renumber(registrationId, bib_number) {
      await db
        .update(registrations)
        .set({ bib_number })
        .where(eq(registrations.id, registrationId));
    },
    async move(registrationId, distance) {
      await db.update(registrations).set({ distance }).where(eq(registrations.id, registrationId));
    },
    async drop(registrationId) {
      await db.delete(results).where(eq(results.registration_id, registrationId));
      await db.delete(registrations).where(eq(registrations.id, registrationId));
    },
    async register(bib) {
      const document = `80${bib}`;
      await insertRegistrations(db, eventId, [
        { ...registrationOf(Number(bib)), bib_number: bib, document },
      ]);
    },
    async forget(bib) {
      const registration = db
        .select({ id: registrations.id })
        .from(registrations)
        .where(and(eq(registrations.event_id, eventId), eq(registrations.bib_number, bib)));
      await db.delete(results).where(inArray(results.registration_id, registration));
    },
    createKey: (scopes) => insertKey(db, organizationId, scopes && { scopes }),
    async revokeKey() {
      await db
        .update(apiKeys)
        .set({ revoked_at: new Date() })
        .where(eq(apiKeys.organization_id, organizationId));
    },
  };
}
