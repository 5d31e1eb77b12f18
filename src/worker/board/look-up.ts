import { timed } from '../log.ts';
import { createQueue, type Waiting, waitFor } from './waiting.ts';

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
  const queue = createQueue();
  let next: Batch<V> | undefined;

  function startBatch(waiting: Waiting): Batch<V> {
    const keys = new Set<string>();
    const found = queue(waiting, () => {
      if (next === batch) next = undefined;
      waiting.logFields.trips += 1;
      return timed(waiting.logFields, 'postgres_ms', load([...keys]));
    });
    const batch = { keys, found };
    return batch;
  }

  return async (keys, waiting) => {
    if (keys.length === 0) return new Map();
    next ??= startBatch(waiting);
    const batch = next;
    for (const key of keys) batch.keys.add(key);
    try {
      return await waitFor(batch.found);
    } finally {
      if (next === batch) next = undefined;
    }
  };
}
