import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, inArray } from 'drizzle-orm';
import type { Fault } from '../../dev/stack/gateway-faults.ts';
import {
  insertEvent,
  insertKey,
  insertMember,
  insertOrganization,
  insertRegistrations,
  type RegistrationSeed,
} from '../../dev/stack/seed.ts';
import { signSession } from '../../dev/stack/session.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { apiKeys, registrations } from '../../worker/db/schema.ts';
import { openDatabase } from '../database.ts';
import { buildWorker } from './bundle.ts';
import { startWorkerd } from './workerd.ts';

const SERVICES = ['postgres', 'redis'] as const;
type Service = (typeof SERVICES)[number];
const SEEDS_AT_ONCE = 5_000;
type Untagged<F> = F extends Fault ? Omit<F, 'for'> : never;

/** The deployed Worker behind HTTP, on the stack that the tests of a run share. */
export type RunningApi = {
  origin: string;
  /** Only this Worker meets the fault. */
  breakService(service: Service, fault: Untagged<Fault>): Promise<void>;
  mendServices(): Promise<void>;
  /** An organization with a key, a session of its owner, and an event with the bibs 1 to `runners`, all with this registration. */
  createRace(runners: number, registration?: RegistrationSeed): Promise<Race>;
  stop(): Promise<void>;
};

export type Race = {
  organizationId: string;
  eventId: string;
  apiKey: string;
  sessionToken: string;
  cancel(registrationIds: string[]): Promise<void>;
  /** Adds a registration with this bib. */
  register(bib: string): Promise<void>;
  /** Another key of the organization, with a rate limit of its own. */
  createKey(): Promise<string>;
  revokeKey(): Promise<void>;
};

export async function startApi(env: Stack['workerEnv']): Promise<RunningApi> {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  const tag = randomUUID();
  const secret = randomBytes(32);
  try {
    await buildWorker(folder);
    const databaseUrl = new URL(env.DATABASE_URL);
    databaseUrl.searchParams.set('application_name', tag);
    const bindings = {
      DATABASE_URL: databaseUrl.href,
      UPSTASH_REDIS_REST_URL: env.UPSTASH_REDIS_REST_URL,
      UPSTASH_REDIS_REST_TOKEN: `${env.UPSTASH_REDIS_REST_TOKEN}.${tag}`,
      PANEL_JWT_SECRET: secret.toString('base64url'),
    };
    const workerd = await startWorkerd([{ name: 'api', folder, bindings }]);
    const gateways = {
      postgres: `http://${databaseUrl.host}/faults`,
      redis: new URL('/faults', env.UPSTASH_REDIS_REST_URL).href,
    };
    return {
      origin: workerd.origins['api'] ?? '',
      async breakService(service, fault) {
        const body = JSON.stringify({ ...fault, for: tag });
        const answer = await fetch(gateways[service], { method: 'POST', body });
        if (!answer.ok) throw new Error(`No fault was set: ${await answer.text()}`);
      },
      async mendServices() {
        for (const service of SERVICES) {
          await fetch(`${gateways[service]}?for=${tag}`, { method: 'DELETE' });
        }
      },
      createRace: (runners, registration = {}) =>
        createRace(env.DATABASE_URL, bindings.PANEL_JWT_SECRET, runners, registration),
      async stop() {
        await workerd.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function createRace(
  databaseUrl: string,
  secret: string,
  runners: number,
  registration: RegistrationSeed,
): Promise<Race> {
  const db = openDatabase(databaseUrl);
  const organizationId = await insertOrganization(db);
  const [ownerId, eventId, apiKey] = await Promise.all([
    insertMember(db, organizationId),
    insertEvent(db, organizationId),
    insertKey(db, organizationId),
  ]);
  if (runners > 0) {
    const seeds = Array.from({ length: runners }, (_, index) => ({
      ...registration,
      bib_number: `${index + 1}`,
      document: `${90_000_001 + index}`,
    }));
    // A statement takes some 65 000 parameters.
    for (let at = 0; at < seeds.length; at += SEEDS_AT_ONCE) {
      await insertRegistrations(db, eventId, seeds.slice(at, at + SEEDS_AT_ONCE));
    }
  }
  return {
    ...{ organizationId, eventId, apiKey },
    sessionToken: await signSession({ sub: ownerId }, secret),
    async cancel(registrationIds) {
      await db
        .update(registrations)
        .set({ status: 'CANCELLED' })
        .where(inArray(registrations.id, registrationIds));
    },
    async register(bib) {
      await insertRegistrations(db, eventId, [{ bib_number: bib, document: `80${bib}` }]);
    },
    createKey: () => insertKey(db, organizationId),
    async revokeKey() {
      await db
        .update(apiKeys)
        .set({ revoked_at: new Date() })
        .where(eq(apiKeys.organization_id, organizationId));
    },
  };
}
