import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** The processor time of all threads of a process, in ms (the kernel's schedstat). */
export const cpuMs = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(nanosecondsOf(`/proc/${pid}/task/${thread}/schedstat`)))
    .reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0);

function nanosecondsOf(schedstat: string): string {
  try {
    return readFileSync(schedstat, 'utf8').split(' ', 1)[0] ?? '0';
  } catch {
    // The thread has ended.
    return '0';
  }
}

/** The processor time that the backends of a database use during `run`, in ms. */
export async function databaseMs(pool: pg.Pool, run: () => Promise<void>): Promise<number> {
  const backends = async () => {
    const { rows } = await pool.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    return new Map(rows.map(({ pid }) => [pid, cpuMs(pid)]));
  };
  const before = await backends();
  await run();
  return [...(await backends())].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}
