import { unavailable } from '../errors.ts';

/** A request that waits for something that other requests may wait for too. */
export type Waiting = {
  waitUntil(work: Promise<unknown>): void;
  logFields: { trips: number };
};

/** After this time the answer is 503, and the cache serves its last good answer. */
export const WAIT_MS = 5_000;

export const tooSlow = () => unavailable('The database takes too long. Try again.', 2);
