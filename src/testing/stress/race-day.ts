import { drizzle } from 'drizzle-orm/node-postgres';
import { insertEvent, insertKeys, insertOrganization } from '../../dev/stack/seed.ts';
import { type RunningApi, startApi } from '../runtime/api.ts';
import { type OwnStack, type RealServers, startOwnStack } from '../runtime/own-stack.ts';

/** The platform's limit of an isolate. */
const HEAP_LIMIT_MIB = 128;

/** The deployed Worker behind HTTP, on real servers. */
export type RaceDay = OwnStack & RunningApi;

export async function startRaceDay(
  servers: RealServers | undefined,
  options: Parameters<typeof startApi>[1] = {},
): Promise<RaceDay> {
  if (!servers) throw new Error('This needs real servers: npm run test:services.');
  const own = await startOwnStack(servers);
  try {
    const limits = { heapLimitMib: HEAP_LIMIT_MIB, ...options };
    const api = await startApi(own.stack.workerEnv, limits);
    return { ...own, ...api, stop: () => api.stop().then(own.stop) };
  } catch (error) {
    await own.stop();
    throw error;
  }
}

export type Race = Awaited<ReturnType<typeof createRace>>;

/**
 * Creates an organization with live keys with every scope, and an event with the bibs 1 to `runners`. All have paid. Some
 * have no gender or no category.
 */
export async function createRace(
  { pool }: Pick<OwnStack, 'pool'>,
  { runners = 0, keyCount = 1 } = {},
) {
  const db = drizzle(pool);
  const organizationId = await insertOrganization(db);
  const eventId = await insertEvent(db, organizationId);
  const keys = await insertKeys(db, organizationId, keyCount);
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
    [eventId, runners],
  );
  return {
    organizationId,
    eventId,
    path: `/public/v1/events/${eventId}`,
    keys,
    key: keys[0] ?? '',
  };
}
