import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { insertRace, runners } from '../dev/stack/seed.ts';
import { type OwnStack, startOwnStack } from '../testing/runtime/own-stack.ts';

const { DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/postgres' } = process.env;
const { REDIS_URL = 'redis://127.0.0.1:6379' } = process.env;

/** Starts a stack on real servers. */
export const startServers = (): Promise<OwnStack> =>
  startOwnStack({ databaseUrl: DATABASE_URL, redisUrl: REDIS_URL });

export type Race = Awaited<ReturnType<typeof createRace>>;

/**
 * Creates a race with this many registrations. The tables are vacuumed and analyzed. Each key has its own rate limit.
 */
export async function createRace(pool: pg.Pool, registrations: number, keyCount = 1) {
  const race = await insertRace(drizzle(pool), runners(registrations), { keyCount });
  await pool.query('vacuum analyze persons, registrations');
  return race;
}

/** Gives registrations a result with three splits each, up to this bib. The race needs a key. */
export async function finishRace(
  pool: pg.Pool,
  race: Race,
  finishers = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  await pool.query(
    `with batch as (
      insert into result_batches (event_id, api_key_id, source, total_processed, uploaded, updated,
        not_found, errors, duplicates)
      select $1, id, 'csv', 0, 0, 0, 0, 0, 0 from api_keys where organization_id = $2 limit 1
      returning id
    )
    insert into results (registration_id, event_id, batch_id, status, chip_time_ms, gun_time_ms, splits)
    select registrations.id, event_id, batch.id, 'FINISHED', time_ms, time_ms + 60000,
      jsonb_build_object('Km 5', time_ms / 4, 'Km 10', time_ms / 2, 'Km 15', time_ms * 3 / 4)
    from registrations
    cross join lateral (select 3600000 + bib_number::int * 7919 % 14400 * 1000 as time_ms) as finish
    cross join batch
    where event_id = $1 and bib_number::bigint <= $3`,
    [race.eventId, race.organizationId, finishers],
  );
  await pool.query('vacuum analyze results');
}
