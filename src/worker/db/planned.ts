import { sql } from 'drizzle-orm';
import { READ_BUDGET_MS } from './client.ts';
import { command, type Slots } from './statement.ts';

const SETTINGS = sql`
  set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '64MB', true)`;

const planned = command(
  ({ budgetMs }: Slots<{ budgetMs: number }>) => sql`
  select ${SETTINGS}, set_config('statement_timeout', ${budgetMs}::int::text, true)`,
);

const plannedToHash = command(
  ({ budgetMs }: Slots<{ budgetMs: number }>) => sql`
  select ${SETTINGS}, set_config('enable_sort', 'off', true),
    set_config('statement_timeout', ${budgetMs}::int::text, true)`,
);

/**
 * Precedes a statement that may read a whole event: how to plan it. The planner takes a new event for a small one
 * until somebody analyzes the tables, and would join it in nested loops. Compiling a plan takes longer than
 * running it. With the usual memory, Postgres would write the rows of a large event to disk to sort them.
 * All statements of the transaction read one moment.
 */
export const plannedForEvent = (budgetMs = READ_BUDGET_MS) => ({
  ...planned({ budgetMs }),
  isOneMoment: true as const,
});

/**
 * The same for a statement that counts in groups. The planner takes a large event among many for one of average size,
 * and would sort its rows to group them, which takes longer than all the rest.
 */
export const plannedForGroups = () => plannedToHash({ budgetMs: READ_BUDGET_MS });

const interpreted = command(() => sql`select set_config('jit', 'off', true)`);

/**
 * Precedes a statement that names the runners of batches. The planner expects as many as the average batch has, and
 * would compile the plan, which takes 35 ms; the statement itself takes one.
 */
export const notCompiled = () => interpreted({});
