import { readdirSync, readFileSync } from 'node:fs';

/** Processor time that the threads of a process have used, in ms (the kernel's schedstat). */
export const cpuMs = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(nanosecondsOf(`/proc/${pid}/task/${thread}/schedstat`)))
    .reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0);

function nanosecondsOf(schedstat: string): string {
  try {
    return readFileSync(schedstat, 'utf8').split(' ', 1)[0] ?? '0';
  } catch {
    // The thread has ended since it was listed.
    return '0';
  }
}
