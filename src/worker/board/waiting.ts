import { unavailable } from '../errors.ts';
import type { Turns } from '../gate/turns.ts';
import { inTime } from '../in-time.ts';
import type { LogFields } from '../log.ts';

/** A request whose work serves waiting requests too. */
export type Waiting = {
  waitUntil(work: Promise<unknown>): void;
  logFields: LogFields;
};

/** After this time the answer is 503, and the cache serves its last good answer. */
export const WAIT_MS = 5_000;

const tooSlow = () => unavailable('The database takes too long. Try again.', 2);

/** @throws ApiError SERVICE_UNAVAILABLE if the work takes too long */
export const waitFor = <T>(work: Promise<T>): Promise<T> => inTime(work, WAIT_MS, tooSlow);

/**
 * Works in a turn of the requests for an organization's boards. The work goes on if this client leaves, because more
 * requests wait for the work.
 */
export function inTurnOf<T>(
  turns: Turns,
  owner: string,
  waiting: Waiting,
  task: () => Promise<T>,
): Promise<T> {
  const done = turns.wait(owner, { patienceMs: WAIT_MS }).then(async (turn) => {
    try {
      return await task();
    } finally {
      turn.end();
    }
  });
  waiting.waitUntil(done.catch(() => {}));
  return done;
}
