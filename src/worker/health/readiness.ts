import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import journal from '../../../migrations/meta/_journal.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { type Database, transact } from '../db/client.ts';
import { type Slots, statement } from '../db/statement.ts';
import { inTime } from '../in-time.ts';

const PROBE_BUDGET_MS = 3_000;
const REMEMBERED_MS = 2_000;

/** The migrations of this version. */
export const MIGRATIONS = journal.entries.map(({ tag }) => tag);

/**
 * The migrations not applied yet, and how the database reads NULL in an array. A database of a newer version may have
 * more migrations.
 */
const findState = statement(
  'findReadiness',
  () =>
    z.strictObject({
      missing: z.array(z.string()),
      array_nulls: z.string(),
      read_only: z.string(),
    }),
  ({ names }: Slots<{ names: string }>) => sql`
    select coalesce((
      select json_agg(name order by name) from json_array_elements_text(${names}::json) name
      where name not in (select name from race_results.applied_migrations)
    ), '[]') as missing, current_setting('array_nulls') as array_nulls,
    current_setting('transaction_read_only') as read_only`,
);

/** Why the Worker cannot serve, in words for the operator, and the error behind the words. */
type Fault = { reason: string; cause?: unknown };

export type Readiness = () => Promise<readonly Fault[]>;

/**
 * Probes run in turn, and an outcome counts for two seconds: the address is public and has no limit.
 * @param brokenVariables the variables that stop a part of the Worker. The probe names them
 */
export function createReadiness(
  database: Database,
  pingRedis: () => Promise<void>,
  brokenVariables: Config['broken'] = new Map(),
): Readiness {
  let probe: Promise<readonly Fault[]> | undefined;
  let keptUntilMs = 0;

  async function findFaults(): Promise<readonly Fault[]> {
    const probed = [
      { name: 'Postgres', faults: findDatabaseFaults(database) },
      { name: 'Redis', faults: pingRedis().then(() => []) },
    ];
    const outcomes = await Promise.all(
      probed.map(({ name, faults }) =>
        inTime(faults, PROBE_BUDGET_MS, () => new Error('too late')).catch((cause: unknown) => [
          { reason: `No answer from ${name}.`, cause },
        ]),
      ),
    );
    const broken = [...brokenVariables].map(([name, why]) => ({ reason: `${name}: ${why}.` }));
    return [...outcomes.flat(), ...broken];
  }

  return () => {
    if (!probe || Date.now() >= keptUntilMs) {
      // The probe ends within its budget, unless the runtime drops the request that began the probe.
      keptUntilMs = Date.now() + PROBE_BUDGET_MS + REMEMBERED_MS;
      probe = findFaults().finally(() => {
        keptUntilMs = Date.now() + REMEMBERED_MS;
      });
    }
    return probe;
  };
}

async function findDatabaseFaults(database: Database): Promise<Fault[]> {
  const [[state]] = await transact(database, [findState({ names: JSON.stringify(MIGRATIONS) })]);
  if (!state) throw new Error('The database answered no row.');
  const faults: Fault[] = [];
  if (state.missing.length > 0) {
    faults.push({ reason: `The database lacks migrations: ${state.missing.join(', ')}.` });
  }
  if (state.read_only !== 'off') {
    faults.push({ reason: 'The database is read-only: uploads are refused.' });
  }
  // An upload sends its rows as arrays. With `off`, the text NULL in an array is no null.
  if (state.array_nulls !== 'on') {
    faults.push({ reason: 'The database has array_nulls=off: reset it, as uploads need it on.' });
  }
  return faults;
}
