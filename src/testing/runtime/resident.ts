import { readFileSync } from 'node:fs';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import * as z from 'zod';

const MIB_IN_KIB = 1_024;
const SAMPLE_EVERY_MS = 1;

/** The resident memory of a process that no file backs: heaps, buffers and stacks. */
export function anonymousMib(pid: number): number {
  const kib = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  // An ended process has no such line.
  return Number(kib ?? 0) / MIB_IN_KIB;
}

const Peak = z.object({ peakMib: z.number(), samples: z.int(), longestGapMs: z.number() });

export type Peak = z.infer<typeof Peak>;

/**
 * Watches the memory of a process from a separate thread.
 * @returns a function that ends the watch and returns the peak
 */
export async function watchResident(pid: number): Promise<() => Promise<Peak>> {
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(import.meta.filename, { workerData: { pid, ended } });
  const peak = new Promise<Peak>((resolve, reject) => {
    thread.once('error', reject);
    thread.on('message', (message) => message !== 'watching' && resolve(Peak.parse(message)));
  });
  await new Promise((resolve) => thread.once('message', resolve));
  return () => {
    Atomics.store(ended, 0, 1);
    return peak;
  };
}

function watch({ pid, ended }: { pid: number; ended: Int32Array<SharedArrayBuffer> }): Peak {
  const peak: Peak = { peakMib: 0, samples: 0, longestGapMs: 0 };
  let lastAt = performance.now();
  while (Atomics.wait(ended, 0, 0, SAMPLE_EVERY_MS) === 'timed-out') {
    peak.peakMib = Math.max(peak.peakMib, anonymousMib(pid));
    peak.samples += 1;
    peak.longestGapMs = Math.max(peak.longestGapMs, performance.now() - lastAt);
    lastAt = performance.now();
  }
  return peak;
}

// Only the watching thread has this workerData.
if (parentPort && workerData?.ended instanceof Int32Array) {
  parentPort.postMessage('watching');
  parentPort.postMessage(watch(workerData));
}
