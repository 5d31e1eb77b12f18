import { drizzle } from 'drizzle-orm/node-postgres';
import { inject } from 'vitest';
import { insertEvent, insertKeys, insertOrganization } from '../../dev/stack/seed.ts';
import { tagged } from '../faults.ts';
import { type OwnStack, type RealServers, startOwnStack } from '../runtime/own-stack.ts';
import { anonymousMib, type Peak, watchResident } from '../runtime/resident.ts';
import { startWorkerd } from '../runtime/workerd.ts';

/** The platform's limit of an isolate. */
const HEAP_LIMIT_MIB = 128;

/** The tag of the Worker's requests: only they meet the faults with this tag. */
export const FAULTS_FOR = 'race-day';

/** The deployed Worker behind HTTP, on real servers. */
export type RaceDay = OwnStack & {
  origin: string;
  /** The lines that the Worker and the runtime printed. */
  printed(): readonly string[];
  /** The resident memory of the runtime that no file backs. */
  memoryMib(): number;
  /** Watches this memory every millisecond. @returns a function that ends the watch and returns the peak */
  watchMemory(): Promise<() => Promise<Peak>>;
};

/** `refusals`: refused answers that an address gets in 10 seconds. Without it they are not counted. */
type RaceDayOptions = { heapLimitMib?: number; refusals?: number };

export async function startRaceDay(
  servers: RealServers | undefined,
  { heapLimitMib = HEAP_LIMIT_MIB, refusals }: RaceDayOptions = {},
): Promise<RaceDay> {
  if (!servers) throw new Error('This needs real servers: npm run test:services.');
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const { stack, pool, stop: stopStack } = await startOwnStack(servers);
    undo.push(stopStack);
    const lines: string[] = [];
    const { folder } = inject('worker');
    const workerd = await startWorkerd(folder, {
      bindings: tagged(stack.workerEnv, FAULTS_FOR),
      refusals,
      heapLimitMib,
      onLine: (line) => lines.push(line),
    });
    undo.push(workerd.stop);
    return {
      origin: workerd.origin,
      stack,
      pool,
      printed: () => lines,
      memoryMib: () => anonymousMib(workerd.pid),
      watchMemory: () => watchResident(workerd.pid),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates an organization with an event. */
export async function createRace({ pool }: Pick<RaceDay, 'pool'>) {
  const db = drizzle(pool);
  const organizationId = await insertOrganization(db);
  const eventId = await insertEvent(db, organizationId);
  return { organizationId, eventId, path: `/public/v1/events/${eventId}` };
}

/** Creates live keys with every scope. */
export const createKeys = (
  { pool }: Pick<RaceDay, 'pool'>,
  organizationId: string,
  count: number,
): Promise<string[]> => insertKeys(drizzle(pool), organizationId, count);

/** Creates paid registrations with the bibs 1 to `count`. Some have no gender or no category. */
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
