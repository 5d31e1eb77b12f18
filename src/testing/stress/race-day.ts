import { drizzle } from 'drizzle-orm/node-postgres';
import { inject } from 'vitest';
import { insertEvent, insertKeys, insertOrganization } from '../../dev/stack/seed.ts';
import { tagged } from '../faults.ts';
import { type OwnStack, type RealServers, startOwnStack } from '../runtime/own-stack.ts';
import { peakDuring, residentMib } from '../runtime/resident.ts';
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
  /** The largest resident memory during `run`, in MiB. */
  peakMib(run: () => Promise<unknown>): Promise<number>;
};

/** `refusals`: refused answers that an address gets in 10 seconds. Without it they are not counted. */
type RaceDayOptions = { heapLimitMib?: number; refusals?: number };

export async function startRaceDay(
  servers: RealServers | undefined,
  options: RaceDayOptions = {},
): Promise<RaceDay> {
  if (!servers) throw new Error('This needs real servers: npm run test:services.');
  const own = await startOwnStack(servers);
  try {
    const day = await runWorker(own, options);
    return { ...day, stop: () => day.stop().then(own.stop) };
  } catch (error) {
    await own.stop();
    throw error;
  }
}

/** Runs the Worker on a stack. `stop` ends the Worker alone. */
export async function runWorker(
  { stack, pool }: OwnStack,
  { heapLimitMib = HEAP_LIMIT_MIB, refusals }: RaceDayOptions = {},
): Promise<RaceDay> {
  const lines: string[] = [];
  const { pid, origin, stop } = await startWorkerd(inject('worker').folder, {
    bindings: tagged(stack.workerEnv, FAULTS_FOR),
    refusals,
    heapLimitMib,
    onLine: (line) => lines.push(line),
  });
  return {
    origin,
    stack,
    pool,
    stop,
    printed: () => lines,
    memoryMib: () => residentMib(pid),
    peakMib: (run) => peakDuring(pid, run),
  };
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
