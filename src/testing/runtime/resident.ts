import { readFileSync, writeFileSync } from 'node:fs';

const MIB_IN_KIB = 1_024;

/** A process's resident memory without a file behind, in MiB: heaps, buffers and stacks. */
export const residentMib = (pid: number): number => mibOf(pid, 'RssAnon');

/**
 * The largest `residentMib` of a process during `run`. The kernel keeps the peak with the pages of files, which
 * hardly change.
 */
export async function peakDuring(pid: number, run: () => Promise<unknown>): Promise<number> {
  // Linux then counts the peak anew.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  await run();
  return mibOf(pid, 'VmHWM') - mibOf(pid, 'RssFile');
}

/**
 * The processor time and the memory of a process during `run`, beyond the memory before. The time is that of a machine
 * on which the floor takes `FLOOR_SECONDS`: a slower or busier machine takes longer for both. The floor is measured
 * before and after `run`, because other processes come and go.
 */
export async function costOf(
  pid: number,
  run: () => Promise<unknown>,
): Promise<{ seconds: number; takenMib: number }> {
  const floorBefore = floorSeconds();
  const [mibBefore, secondsBefore] = [residentMib(pid), processorSeconds(pid)];
  const peakMib = await peakDuring(pid, run);
  const seconds = processorSeconds(pid) - secondsBefore;
  const slower = Math.max(FLOOR_SECONDS, floorBefore, floorSeconds()) / FLOOR_SECONDS;
  return { seconds: seconds / slower, takenMib: peakMib - mibBefore };
}

/** The best of some runs of the floor, in seconds, on the machine for which the bounds are told. */
const FLOOR_SECONDS = 0.045;
const FLOOR_RUNS = 6;
const FLOOR_ROWS = JSON.stringify(
  Array.from({ length: 200_000 }, (_, at) => ({ bib_number: `${at}`, chip_time: '00:40:00' })),
);

/** The processor time in which V8 reads a fixed text in this process. */
function floorSeconds(): number {
  const all = Array.from({ length: FLOOR_RUNS }, () => {
    const before = process.cpuUsage();
    JSON.parse(FLOOR_ROWS);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  });
  return Math.min(...all);
}

function mibOf(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  // An ended process has no such line.
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / MIB_IN_KIB;
}

/** The processor time of a process since its start. */
export function processorSeconds(pid: number): number {
  // The name in parentheses may have blanks. Behind the parentheses, the 12th and 13th fields are ticks of 10 ms.
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) / 100;
}
