import { sql } from 'drizzle-orm';
import { type Database, transact } from '../db/client.ts';
import { command } from '../db/statement.ts';
import { inTime } from '../in-time.ts';

const PROBE_BUDGET_MS = 3_000;
const REMEMBERED_MS = 2_000;

const answersAnything = command(() => sql`select 1`);

/** Names the services that do not answer. */
export type Readiness = () => Promise<readonly string[]>;

/** One probe runs at a time, and its outcome counts for two seconds: anybody may ask, as often as they like. */
export function createReadiness(database: Database, pingRedis: () => Promise<void>): Readiness {
  let probe: Promise<readonly string[]> | undefined;
  let keptUntilMs = 0;

  async function namesAway(): Promise<readonly string[]> {
    const probes = { Postgres: transact(database, [answersAnything({})]), Redis: pingRedis() };
    const outcomes = await Promise.allSettled(
      Object.values(probes).map((answer) =>
        inTime<unknown>(answer, PROBE_BUDGET_MS, () => new Error('too late')),
      ),
    );
    return Object.keys(probes).filter((_, at) => outcomes[at]?.status === 'rejected');
  }

  return () => {
    if (!probe || Date.now() >= keptUntilMs) {
      // It ends within its budget, unless the runtime drops the request that began it.
      keptUntilMs = Date.now() + PROBE_BUDGET_MS + REMEMBERED_MS;
      probe = namesAway().finally(() => {
        keptUntilMs = Date.now() + REMEMBERED_MS;
      });
    }
    return probe;
  };
}
