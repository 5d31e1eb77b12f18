import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { migrate } from '../dev/stack/migrate.ts';
import { createOwnDatabase } from '../dev/stack/own-database.ts';
import { insertEvent, insertKey, insertKeys, insertOrganization } from '../dev/stack/seed.ts';
import { FREE_PORTS, type Stack, startStack } from '../dev/stack/stack.ts';

const {
  DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/postgres',
  REDIS_URL = 'redis://127.0.0.1:6379',
} = process.env;

/** A real PostgreSQL and Redis behind the gateways, and a database of its own. */
export type Servers = {
  /** Postgres itself, past the gateway. */
  pool: pg.Pool;
  stack: Stack;
  workerEnv: Record<string, string>;
  stop(): Promise<void>;
};

/** @param delayMs added to each answer of both, as if they were far away */
export async function startServers(delayMs = 0): Promise<Servers> {
  const database = await createOwnDatabase(DATABASE_URL);
  const dropAtExit = () => dropNow(database.url);
  process.once('exit', dropAtExit);
  const undo: (() => Promise<void>)[] = [
    async () => {
      await database.drop();
      process.off('exit', dropAtExit);
    },
  ];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    await migrate(database.url);
    const stack = await startStack({
      ports: FREE_PORTS,
      databaseUrl: database.url,
      redisUrl: REDIS_URL,
      postgresDelayMs: delayMs,
      redisDelayMs: delayMs,
    });
    undo.push(stack.stop);
    const pool = new pg.Pool({ connectionString: database.url, max: 4 });
    // Dropping the database may end a connection that is still saying goodbye.
    pool.on('error', () => {});
    // It waits for connections to be given back, which a bench that broke does not do.
    undo.push(() => Promise.race([pool.end(), setTimeout(1_000)]));
    const workerEnv = {
      ...stack.workerEnv,
      PANEL_JWT_SECRET: randomBytes(32).toString('base64url'),
    };
    return { pool, stack, workerEnv, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Which PostgreSQL `startServers` finds. */
export async function serverVersion(): Promise<string> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>(
      "select split_part(current_setting('server_version'), ' ', 1) as version",
    );
    return `PostgreSQL ${rows[0]?.version}`;
  } finally {
    await client.end();
  }
}

const DROP = `
  import pg from 'pg';
  const client = new pg.Client({ connectionString: process.argv[1] });
  await client.connect();
  await client.query('drop database if exists ' + process.argv[2] + ' with (force)');
  await client.end();`;

/** For a process that ends early, and so waits for nothing more. */
function dropNow(databaseUrl: string): void {
  const name = new URL(databaseUrl).pathname.slice(1);
  spawnSync(process.execPath, ['--input-type=module', '--eval', DROP, DATABASE_URL, name], {
    cwd: import.meta.dirname,
  });
}

/** An event, and a key's organization that it belongs to. */
export type Race = { organizationId: string; eventId: string; path: string };

/** A race with this many registrations, bibs from 1 on; vacuumed and analyzed unless told otherwise. */
export async function createRace(
  pool: pg.Pool,
  { registrations, isVacuumed = true }: { registrations: number; isVacuumed?: boolean },
): Promise<Race> {
  const db = drizzle(pool);
  const organizationId = await insertOrganization(db);
  const eventId = await insertEvent(db, organizationId);
  await pool.query(
    `with person as (
      insert into persons (given_names, surnames)
      select 'Runner', n::text from generate_series(1, $2::int) n
      returning id, surnames
    )
    insert into registrations (event_id, person_id, status, given_names, surnames, document, email,
      gender, bib_number, chip, distance, category, kit_status, registered_at)
    select $1, id, case when n % 25 = 0 then 'CANCELLED' when n % 20 = 0 then 'PENDING' else 'PAID' end,
      'Runner', surnames, (90000000 + n)::text, 'runner' || n || '@example.org',
      (array['F', 'M', 'X'])[1 + n % 3], n::text, 'CHIP' || n, (array['10K', '21K'])[1 + n % 2],
      (array['18-29', '30-39', '40-49', '50-59', '60+'])[1 + n % 5],
      case when n % 3 = 0 then 'READY' else 'DELIVERED' end, now() - n * interval '1 second'
    from (select id, surnames, surnames::int as n from person) runner`,
    [eventId, registrations],
  );
  if (isVacuumed) await pool.query('vacuum analyze persons, registrations');
  return { organizationId, eventId, path: `/public/v1/events/${eventId}` };
}

/** Keys with every scope. Each has a quota of its own. */
export const createKeys = (
  pool: pg.Pool | pg.PoolClient,
  { organizationId }: Race,
  count: number,
): Promise<string[]> => insertKeys(drizzle(pool), organizationId, count);

export const createKey = (pool: pg.Pool | pg.PoolClient, race: Race): Promise<string> =>
  insertKey(drizzle(pool), race.organizationId);
