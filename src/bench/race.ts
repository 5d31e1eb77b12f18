import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { connectTo } from '../dev/stack/postgres.ts';
import { insertRace, runners } from '../dev/stack/seed.ts';
import { type OwnStack, startOwnStack } from '../testing/runtime/own-stack.ts';

const { DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/postgres' } = process.env;
export const { REDIS_URL = 'redis://127.0.0.1:6379' } = process.env;

/** Starts a stack on real servers. */
export const startServers = (): Promise<OwnStack> =>
  startOwnStack({ databaseUrl: DATABASE_URL, redisUrl: REDIS_URL });

/** The name and version of the PostgreSQL that `startServers` uses. */
export async function serverVersion(): Promise<string> {
  const client = await connectTo(DATABASE_URL);
  try {
    const { rows } = await client.query<{ version: string }>(
      "select split_part(current_setting('server_version'), ' ', 1) as version",
    );
    return `PostgreSQL ${rows[0]?.version}`;
  } finally {
    await client.end();
  }
}

export type Race = Awaited<ReturnType<typeof createRace>>;

/**
 * Creates a race with this many registrations. Its tables are vacuumed and analyzed. Each key has its own rate
 * limit.
 */
export async function createRace(pool: pg.Pool, registrations: number, keyCount = 1) {
  const race = await insertRace(drizzle(pool), runners(registrations), { keyCount });
  await pool.query('vacuum analyze persons, registrations');
  return race;
}
