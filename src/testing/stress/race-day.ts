import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { migrate } from '../../dev/stack/migrate.ts';
import { createOwnDatabase } from '../../dev/stack/own-database.ts';
import { FREE_PORTS, type Stack, startStack } from '../../dev/stack/stack.ts';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import { apiKeys } from '../../worker/db/schema.ts';
import { SCOPES } from '../../worker/scopes.ts';
import { buildWorker } from '../runtime/bundle.ts';
import { anonymousMib } from '../runtime/resident.ts';
import { startWorkerd } from '../runtime/workerd.ts';
import type { RealServers } from '../services-setup.ts';

/** The platform's, for an isolate. */
const HEAP_LIMIT_MIB = 128;

/** Faults that the gateways are given for this tag are met by the Worker, and by nobody else. */
export const FAULTS_FOR = 'race-day';

/** The Worker as it is deployed, behind HTTP, on a database of its own on real servers. */
export type RaceDay = {
  origin: string;
  stack: Stack;
  /** Postgres itself, past the gateway. */
  pool: pg.Pool;
  /** What the Worker logged and the runtime said, line by line. */
  printed(): readonly string[];
  /** What the runtime has resident that is no file's. */
  memoryMib(): number;
  stop(): Promise<void>;
};

export async function startRaceDay(servers: RealServers | undefined): Promise<RaceDay> {
  if (!servers) throw new Error('This needs real servers: npm run test:services.');
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), 'race-day-'));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    await buildWorker(folder);
    const database = await createOwnDatabase(servers.databaseUrl);
    undo.push(database.drop);
    const stack = await startStack({
      ports: FREE_PORTS,
      databaseUrl: database.url,
      redisUrl: servers.redisUrl,
    });
    undo.push(stack.stop);
    await migrate(stack.postgresUrl);
    const pool = new pg.Pool({ connectionString: stack.postgresUrl, max: 4 });
    pool.on('error', () => {});
    undo.push(() => pool.end());

    const lines: string[] = [];
    const workerd = await startWorkerd([{ name: 'api', folder, bindings: bindingsOf(stack) }], {
      v8Flags: [`--max-heap-size=${HEAP_LIMIT_MIB}`],
      onLine: (line) => lines.push(line),
    });
    undo.push(workerd.stop);
    return {
      origin: workerd.origins['api'] ?? '',
      stack,
      pool,
      printed: () => lines,
      memoryMib: () => anonymousMib(workerd.pid),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function bindingsOf({ workerEnv }: Stack): Record<string, string> {
  const databaseUrl = new URL(workerEnv.DATABASE_URL);
  databaseUrl.searchParams.set('application_name', FAULTS_FOR);
  return {
    DATABASE_URL: databaseUrl.href,
    UPSTASH_REDIS_REST_URL: workerEnv.UPSTASH_REDIS_REST_URL,
    UPSTASH_REDIS_REST_TOKEN: `${workerEnv.UPSTASH_REDIS_REST_TOKEN}.${FAULTS_FOR}`,
    PANEL_JWT_SECRET: randomBytes(32).toString('base64url'),
  };
}

/** An organization and its event, with nobody in it. */
export async function createRace({ pool }: Pick<RaceDay, 'pool'>) {
  const [organizationId, eventId] = [randomUUID(), randomUUID()];
  await pool.query('insert into organizations (id, name) values ($1, $2)', [
    organizationId,
    `Club ${organizationId.slice(0, 8)}`,
  ]);
  await pool.query(
    `insert into events (id, organization_id, name, event_date, city)
      values ($1, $2, 'Harbour Half', now() + interval '1 day', 'Port Example')`,
    [eventId, organizationId],
  );
  return { organizationId, eventId, path: `/public/v1/events/${eventId}` };
}

/** Live keys with every scope. */
export async function createKeys(
  { pool }: Pick<RaceDay, 'pool'>,
  organizationId: string,
  count: number,
): Promise<string[]> {
  const keys = Array.from({ length: count }, generateApiKey);
  const hashes = await Promise.all(keys.map(hashApiKey));
  const rows = keys.map((key, index) => ({
    organization_id: organizationId,
    name: 'Timing crew',
    key_prefix: apiKeyPrefix(key),
    key_hash: hashes[index] ?? '',
    scopes: [...SCOPES],
  }));
  for (let at = 0; at < rows.length; at += 1_000) {
    await drizzle(pool)
      .insert(apiKeys)
      .values(rows.slice(at, at + 1_000));
  }
  return keys;
}

/** Registrations with the bibs 1 to `count`, over some genders and categories, and some without. */
export async function createRegistrations(
  { pool }: Pick<RaceDay, 'pool'>,
  eventId: string,
  count: number,
): Promise<void> {
  await pool.query(
    `with runner as (
      select gen_random_uuid() as person_id, bib from generate_series(1, $2::int) bib
    ), person as (
      insert into persons (id) select person_id from runner
    )
    insert into registrations (event_id, person_id, status, bib_number, gender, category)
    select $1, person_id, 'PAID', bib::text,
      (array['F', 'M', 'X', null])[1 + bib % 4], (array['A', 'B', 'C', 'D', null])[1 + bib % 5]
    from runner`,
    [eventId, count],
  );
}
