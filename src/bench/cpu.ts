import { readdirSync, readFileSync } from 'node:fs';

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
