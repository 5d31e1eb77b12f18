import { drizzle } from 'drizzle-orm/node-postgres';
import { insertRace } from '../../dev/stack/seed.ts';
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

/** Creates an event with the bibs 1 to `runners`. All have paid. Some have no gender or no category. */
export const createRace = (
  { pool }: Pick<OwnStack, 'pool'>,
  { runners = 0, keyCount = 1 } = {},
) => {
  const seeds = Array.from({ length: runners }, (_, index) => {
    const bib = index + 1;
    return {
      bib_number: `${bib}`,
      gender: ['F', 'M', 'X'][bib % 4] ?? null,
      category: ['A', 'B', 'C', 'D'][bib % 5] ?? null,
    };
  });
  return insertRace(drizzle(pool), seeds, { keyCount });
};
