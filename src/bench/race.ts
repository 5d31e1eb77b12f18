import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { connectTo } from '../dev/stack/postgres.ts';
import { insertEvent, insertKeys, insertOrganization, insertRunners } from '../dev/stack/seed.ts';
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

/** An event and its organization. */
export type Race = { organizationId: string; eventId: string; path: string };

/** Creates a race with this many registrations. Its tables are vacuumed and analyzed. */
export async function createRace(pool: pg.Pool, registrations: number): Promise<Race> {
  const db = drizzle(pool);
  const organizationId = await insertOrganization(db);
  const eventId = await insertEvent(db, organizationId);
  await insertRunners(db, eventId, registrations);
  await pool.query('vacuum analyze persons, registrations');
  return { organizationId, eventId, path: `/public/v1/events/${eventId}` };
}

/** Keys with every scope. Each has its own rate limit. */
export const createKeys = (
  pool: pg.Pool,
  { organizationId }: Race,
  count: number,
): Promise<string[]> => insertKeys(drizzle(pool), organizationId, count);

export async function createKey(pool: pg.Pool, race: Race): Promise<string> {
  const [key = ''] = await createKeys(pool, race, 1);
  return key;
}
