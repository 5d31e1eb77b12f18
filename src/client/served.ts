import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { buildWorker } from '../bench/worker.ts';
import { startWorkerd } from '../bench/workerd.ts';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '../caller/api-key.ts';
import { connect } from '../db/client.ts';
import {
  apiKeys,
  events,
  organizationMembers,
  organizations,
  persons,
  registrations,
} from '../db/schema.ts';
import type { Fault } from '../local/faults.ts';
import type { Stack } from '../local/stack.ts';
import { SCOPES } from '../scopes.ts';

const SERVICES = ['postgres', 'redis'] as const;
type Service = (typeof SERVICES)[number];
type Untagged<F> = F extends Fault ? Omit<F, 'for'> : never;

/** The Worker as it is deployed, behind HTTP, on the stack that the run's tests share. */
export type Served = {
  origin: string;
  /** Faults are met by this Worker alone. */
  breakService(service: Service, fault: Untagged<Fault>): Promise<void>;
  mendServices(): Promise<void>;
  /** An organization with a key, a session of its owner, and an event with the bibs 1 to `runners`. */
  createRace(runners: number): Promise<Race>;
  stop(): Promise<void>;
};

export type Race = {
  organizationId: string;
  eventId: string;
  apiKey: string;
  sessionToken: string;
};

export async function serve(env: Stack['workerEnv']): Promise<Served> {
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
      createRace: (runners) => createRace(env.DATABASE_URL, bindings.PANEL_JWT_SECRET, runners),
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

async function createRace(databaseUrl: string, secret: string, runners: number): Promise<Race> {
  const db = connect(databaseUrl);
  const [organizationId, eventId, ownerId] = [randomUUID(), randomUUID(), randomUUID()];
  const apiKey = generateApiKey();
  await db.insert(organizations).values({ id: organizationId, name: 'Club Example' });
  await db
    .insert(organizationMembers)
    .values({ organization_id: organizationId, user_id: ownerId, role: 'owner' });
  await db.insert(apiKeys).values({
    organization_id: organizationId,
    name: 'Timing crew',
    key_prefix: apiKeyPrefix(apiKey),
    key_hash: await hashApiKey(apiKey),
    scopes: [...SCOPES],
  });
  await db.insert(events).values({
    id: eventId,
    organization_id: organizationId,
    name: 'Harbour Half',
    event_date: new Date(Date.now() + 86_400_000),
    city: 'Port Example',
  });
  if (runners > 0) {
    const rows = Array.from({ length: runners }, (_, index) => ({
      event_id: eventId,
      person_id: randomUUID(),
      status: 'PAID' as const,
      bib_number: `${index + 1}`,
      document: `${90_000_001 + index}`,
    }));
    await db.insert(persons).values(rows.map(({ person_id }) => ({ id: person_id })));
    await db.insert(registrations).values(rows);
  }
  const sessionToken = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(ownerId)
    .setExpirationTime('1 hour')
    .sign(new TextEncoder().encode(secret));
  return { organizationId, eventId, apiKey, sessionToken };
}
