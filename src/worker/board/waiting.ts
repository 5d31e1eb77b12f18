import { unavailable } from '../errors.ts';
import type { LogFields } from '../log.ts';

/** A request that waits for something that other requests may wait for too. */
export type Waiting = {
  waitUntil(work: Promise<unknown>): void;
  logFields: LogFields;
};

/** After this time the answer is 503, and the cache serves its last good answer. */
export const WAIT_MS = 5_000;

export const tooSlow = () => unavailable('The database takes too long. Try again.', 2);
