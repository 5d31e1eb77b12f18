import type { Log } from '../log.ts';

const FAILURES_MAX = 3;
const ASK_EVERY_MS = 1_000;

/**
 * Tells whether Redis answers in time. After three failures in a row it is away: one request a second asks
 * it, and the others do not wait. One line of the log says when that begins, and one when it ends.
 */
export function createAvailability(log: Log) {
  let failures = 0;
  let uncounted = 0;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  const isAway = () => failures >= FAILURES_MAX;

  return {
    isAway,

    mayAsk(): boolean {
      const now = Date.now();
      if (isAway() && now - askedAtMs < ASK_EVERY_MS) return false;
      askedAtMs = now;
      return true;
    },

    answered(): void {
      if (isAway()) {
        log.info({ level: 'info', message: 'The rate limit is enforced again.', uncounted });
      }
      failures = 0;
      uncounted = 0;
    },

    failed(error: unknown): void {
      failures += 1;
      if (failures === FAILURES_MAX) {
        log.error('Each isolate enforces the rate limit alone: Redis is unavailable.', error);
      }
    },

    /** Call for each admitted request that Redis did not count. */
    addUncounted(): void {
      uncounted += 1;
    },
  };
}
