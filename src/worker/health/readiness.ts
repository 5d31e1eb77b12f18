import { sql } from 'drizzle-orm';
import { type Database, transact } from '../db/client.ts';
import { command } from '../db/statement.ts';
import { inTime } from '../in-time.ts';

const PROBE_BUDGET_MS = 3_000;
const REMEMBERED_MS = 2_000;

const answersAnything = command(() => sql`select 1`);

/** A service that does not answer, and why. */
type Away = { name: string; cause: unknown };

export type Readiness = () => Promise<readonly Away[]>;

/** One probe runs at a time, and its outcome counts for two seconds: anybody may ask, as often as they like. */
export function createReadiness(database: Database, pingRedis: () => Promise<void>): Readiness {
  let probe: Promise<readonly Away[]> | undefined;
  let keptUntilMs = 0;

  async function findAway(): Promise<readonly Away[]> {
    const probes = { Postgres: transact(database, [answersAnything({})]), Redis: pingRedis() };
    const outcomes = await Promise.allSettled(
      Object.values(probes).map((answer) =>
        inTime<unknown>(answer, PROBE_BUDGET_MS, () => new Error('too late')),
      ),
    );
    return Object.keys(probes).flatMap((name, at) => {
      const outcome = outcomes[at];
      return outcome?.status === 'rejected' ? { name, cause: outcome.reason } : [];
    });
  }

  return () => {
    if (!probe || Date.now() >= keptUntilMs) {
      // It ends within its budget, unless the runtime drops the request that began it.
      keptUntilMs = Date.now() + PROBE_BUDGET_MS + REMEMBERED_MS;
      probe = findAway().finally(() => {
        keptUntilMs = Date.now() + REMEMBERED_MS;
      });
    }
    return probe;
  };
}
