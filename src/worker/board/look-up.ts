import { createTurns } from '../gate/turns.ts';
import { timed } from '../log.ts';
import { inTurnOf, WAIT_MS, type Waiting, waitFor } from './waiting.ts';

type Batch<V> = { keys: Set<string>; found: Promise<ReadonlyMap<string, V>> };

/** @param owner whose board the keys are asked for */
export type LookUp<V> = (owner: string, key: string, waiting: Waiting) => Promise<V | undefined>;

/** Keys of a trip. Further keys take further trips. */
const KEYS_MAX = 100;

/**
 * Looks keys up for all requests of the isolate, a trip of each owner at a time. Keys that arrive meanwhile travel
 * together in the next trip. So the database runs a single such statement of an owner at a time, however many requests
 * come.
 */
export function createLookUp<V>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): LookUp<V> {
  // A longer trip may never end, because the runtime has ended the request behind the trip.
  const turns = createTurns({ total: Number.POSITIVE_INFINITY, each: 1, leaseMs: WAIT_MS });
  /** The batch of each owner before its trip. */
  const next = new Map<string, Batch<V>>();

  function startBatch(owner: string, waiting: Waiting): Batch<V> {
    const keys = new Set<string>();
    const values = inTurnOf(turns, owner, waiting, () => {
      if (next.get(owner) === batch) next.delete(owner);
      waiting.logFields.trips += 1;
      return timed(waiting.logFields, 'postgres_ms', load([...keys]));
    });
    const batch = { keys, found: values };
    next.set(owner, batch);
    return batch;
  }

  return async (owner, key, waiting) => {
    const open = next.get(owner);
    const batch = open && open.keys.size < KEYS_MAX ? open : startBatch(owner, waiting);
    batch.keys.add(key);
    const values = await waitFor(batch.found).catch((error: unknown) => {
      if (next.get(owner) === batch) next.delete(owner);
      throw error;
    });
    return values.get(key);
  };
}
