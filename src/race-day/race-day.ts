import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { endGroupAtExit } from '../bench/at-exit.ts';
import { buildWorker } from '../bench/worker.ts';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '../caller/api-key.ts';
import { apiKeys } from '../db/schema.ts';
import { migrate } from '../local/migrate.ts';
import { createOwnDatabase } from '../local/own-database.ts';
import { FREE_PORTS, type Stack, startStack } from '../local/stack.ts';
import { SCOPES } from '../scopes.ts';
import type { RealServers } from '../testing/services-setup.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORKERD = join(ROOT, 'node_modules/.bin/workerd');
const READY_MS = 60_000;
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
  /** Resident memory of the runtime. */
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
    const workerd = startWorkerd(folder, stack);
    undo.push(() => end(workerd));
    collectLines(workerd, lines);
    return {
      origin: await originOf(workerd, lines),
      stack,
      pool,
      printed: () => lines,
      memoryMib: () => residentMib(workerd),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Of a promise that nobody waits for the runtime alone would say nothing. */
const WATCHED = `addEventListener('unhandledrejection', ({ reason }) =>
  console.error('Unhandled rejection:', String(reason)));
export { default } from './worker.js';
`;

/** The runtime alone: no proxy before it, and the memory it may take is what the platform gives. */
function startWorkerd(folder: string, stack: Stack): ChildProcess {
  const databaseUrl = new URL(stack.workerEnv.DATABASE_URL);
  databaseUrl.searchParams.set('application_name', FAULTS_FOR);
  const bindings = {
    DATABASE_URL: databaseUrl.href,
    UPSTASH_REDIS_REST_URL: stack.workerEnv.UPSTASH_REDIS_REST_URL,
    UPSTASH_REDIS_REST_TOKEN: `${stack.workerEnv.UPSTASH_REDIS_REST_TOKEN}.${FAULTS_FOR}`,
    PANEL_JWT_SECRET: randomBytes(32).toString('base64url'),
  };
  const config = join(folder, 'workerd.capnp');
  writeFileSync(config, configOf(bindings), { mode: 0o600 });
  writeFileSync(join(folder, 'watched.js'), WATCHED);
  const child = spawn(WORKERD, ['serve', config, '--control-fd=3'], {
    // A group of its own, which ends with this process however it ends.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  endGroupAtExit(child);
  return child;
}

function configOf(bindings: Record<string, string>): string {
  const toml = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8');
  const date = /^compatibility_date = (".+")$/m.exec(toml)?.[1];
  const flags = /^compatibility_flags = (\[.+\])$/m.exec(toml)?.[1];
  const given = Object.entries(bindings).map(
    ([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = [ "--max-heap-size=${HEAP_LIMIT_MIB}" ],
  services = [
    (name = "api", worker = (
      modules = [
        (name = "watched.js", esModule = embed "watched.js"),
        (name = "worker.js", esModule = embed "bundle/worker.js")
      ],
      compatibilityDate = ${date},
      compatibilityFlags = ${flags},
      bindings = [ ${given.join(', ')} ]
    )),
    (name = "internet", network = (allow = ["public", "private", "local"]))
  ],
  sockets = [ (name = "api", address = "127.0.0.1:0", http = (), service = "api") ]
);
`;
}

function collectLines({ stdio: [, stdout, stderr, control] }: ChildProcess, lines: string[]) {
  for (const stream of [stdout, stderr, control]) {
    if (stream instanceof Readable) {
      createInterface(stream).on('line', (line) => line.trim() !== '' && lines.push(line));
    }
  }
}

async function originOf(workerd: ChildProcess, lines: readonly string[]): Promise<string> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; ) {
    const told = lines.map((line) => /"listen".*"port":(\d+)/.exec(line)?.[1]).find(Boolean);
    if (told !== undefined) return `http://127.0.0.1:${told}`;
    if (workerd.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The runtime did not start:\n${lines.join('\n')}`);
}

async function end(workerd: ChildProcess): Promise<void> {
  if (workerd.exitCode !== null || workerd.signalCode !== null) return;
  const ended = new Promise((resolve) => workerd.once('exit', resolve));
  workerd.kill();
  await ended;
}

/** What the process has resident that is no file's. Linux alone tells it in a file. */
function residentMib({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
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
