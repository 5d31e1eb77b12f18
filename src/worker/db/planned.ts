import { sql } from 'drizzle-orm';
import { READ_BUDGET_MS } from './client.ts';
import { command, type Slots } from './statement.ts';

const SETTINGS = sql`
  set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '64MB', true)`;

const planned = command(
  'planForEvent',
  ({ budgetMs }: Slots<{ budgetMs: number }>) => sql`
  select ${SETTINGS}, set_config('statement_timeout', ${budgetMs}::int::text, true)`,
);

const plannedToHash = command(
  'planForGroups',
  ({ budgetMs }: Slots<{ budgetMs: number }>) => sql`
  select ${SETTINGS}, set_config('enable_sort', 'off', true),
    set_config('statement_timeout', ${budgetMs}::int::text, true)`,
);

/**
 * Precedes a statement that may read a whole event: how to plan it. The planner takes a new event for a small event
 * until the tables are analyzed, and would join the event in nested loops. Compiling a plan takes longer than running
 * the plan. With the usual memory, Postgres would sort the rows of a large event on disk. All statements of the
 * transaction read a single moment.
 */
export const plannedForEvent = (budgetMs = READ_BUDGET_MS) => ({
  ...planned({ budgetMs }),
  isOneMoment: true as const,
});

/**
 * Precedes a statement that counts in groups. The planner takes a large event among many for an event of average size,
 * and would sort the rows to group them: longer than all remaining work.
 */
export const plannedForGroups = () => plannedToHash({ budgetMs: READ_BUDGET_MS });

const interpreted = command('turnJitOff', () => sql`select set_config('jit', 'off', true)`);

/**
 * Precedes a statement that names the runners of batches. The planner expects the runners of an average batch, and
 * would compile the plan for 35 ms; the statement takes 1 ms.
 */
export const notCompiled = () => interpreted({});
