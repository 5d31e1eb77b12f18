import { readFileSync } from 'node:fs';

/** The most memory that a process has had. */
export function peakMibOf(pid: number): number {
  const kib = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1_024;
}
