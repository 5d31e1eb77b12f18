import { inTime } from '../in-time.ts';
import { timed } from '../log.ts';
import { tooSlow, WAIT_MS, type Waiting } from './waiting.ts';

type Batch<V> = { keys: Set<string>; found: Promise<ReadonlyMap<string, V>> };

export type LookUp<V> = (
  keys: readonly string[],
  waiting: Waiting,
) => Promise<ReadonlyMap<string, V>>;

/**
 * Looks keys up for all requests of the isolate, one trip at a time. The keys that are asked for
 * meanwhile travel together in the next trip. So the database runs one such statement at a time, however
 * many requests come.
 */
export function createLookUp<V>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): LookUp<V> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Batch<V> | undefined;

  function startBatch(waiting: Waiting): Batch<V> {
    const before = running;
    const batch: Batch<V> = { keys: new Set(), found: run() };
    // The trip is for other requests too: it goes on if this client leaves.
    running = batch.found.catch(() => {});
    waiting.waitUntil(running);
    return batch;

    async function run() {
      // The runtime may have ended the request that made the trip before. Then its end is never known.
      await inTime(before, WAIT_MS, tooSlow).catch(() => {});
      if (next === batch) next = undefined;
      waiting.logFields.trips += 1;
      return timed(waiting.logFields, 'postgres_ms', load([...batch.keys]));
    }
  }

  return async (keys, waiting) => {
    if (keys.length === 0) return new Map();
    next ??= startBatch(waiting);
    const batch = next;
    for (const key of keys) batch.keys.add(key);
    try {
      return await inTime(batch.found, WAIT_MS, tooSlow);
    } finally {
      if (next === batch) next = undefined;
    }
  };
}
