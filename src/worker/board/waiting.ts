import { unavailable } from '../errors.ts';
import { inTime } from '../in-time.ts';
import type { LogFields } from '../log.ts';

/** A request that waits for something that other requests may wait for too. */
export type Waiting = {
  waitUntil(work: Promise<unknown>): void;
  logFields: LogFields;
};

/** After this time the answer is 503, and the cache serves its last good answer. */
const WAIT_MS = 5_000;

const tooSlow = () => unavailable('The database takes too long. Try again.', 2);

/** @throws ApiError SERVICE_UNAVAILABLE if it takes too long */
export const waitFor = <T>(work: Promise<T>): Promise<T> => inTime(work, WAIT_MS, tooSlow);

export type Queue = <T>(waiting: Waiting, task: () => Promise<T>) => Promise<T>;

/**
 * Runs tasks one after the other, for all requests of the isolate.
 * @param patienceMs A task that takes longer may never end, because the runtime has ended its request. The
 *   next one begins.
 */
export function createQueue(patienceMs = WAIT_MS): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (waiting, task) => {
    const done = inTime(last, patienceMs, tooSlow)
      .catch(() => {})
      .then(task);
    last = done.catch(() => {});
    // Other requests wait for it too: it goes on if this client leaves.
    waiting.waitUntil(last);
    return done;
  };
}

export type SharedQueue = <T>(
  owner: string,
  waiting: Waiting,
  task: () => Promise<T>,
) => Promise<T>;

/**
 * Runs the tasks of each owner one after the other. A task that waits for the tasks of others waits for one of
 * each owner, however many an owner has.
 * @param atOnce how many tasks run at a time; without it, one of every owner
 */
export function createSharedQueue(atOnce?: number): SharedQueue {
  const own = new Map<string, Queue>();
  const lanes = Array.from({ length: atOnce ?? 0 }, () => createQueue());
  return (owner, waiting, task) => {
    const queue = own.get(owner) ?? createQueue();
    own.set(owner, queue);
    return queue(waiting, () => {
      const lane = lanes.shift();
      if (!lane) return task();
      lanes.push(lane);
      return lane(waiting, task);
    });
  };
}
