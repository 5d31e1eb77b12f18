import type { Log } from '../log.ts';

const FAILURES_MAX = 3;
const TRY_EVERY_MS = 1_000;

/**
 * - closed: Redis counts the requests.
 * - open: Redis failed three times in a row. The isolate counts alone.
 * - half-open: the isolate counts alone, but this request, at most 1 a second, asks whether Redis is back.
 */
type State = 'closed' | 'open' | 'half-open';

export type Circuit = ReturnType<typeof createCircuit>;

/**
 * Tells which requests Redis counts. The log gets a line when the circuit opens, and a line when the circuit closes.
 */
export function createCircuit(log: Log) {
  let failures = 0;
  let uncounted = 0;
  let missedSinceMs: number | undefined;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  const isClosed = () => failures < FAILURES_MAX;
  function miss(sinceMs = Date.now()): void {
    missedSinceMs ??= sinceMs;
  }

  return {
    isClosed,

    /** The state for the next request. */
    next(): State {
      const now = Date.now();
      if (!isClosed() && now - askedAtMs < TRY_EVERY_MS) return 'open';
      askedAtMs = now;
      return isClosed() ? 'closed' : 'half-open';
    },

    answered(): void {
      if (!isClosed()) {
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

    /** Call for each admitted request without a count in Redis. */
    addUncounted(): void {
      uncounted += 1;
      miss();
    },

    /** Call for counts that Redis did not take. */
    miss,

    /** Since when Redis has missed requests, answered once. */
    takeMissed(): number | undefined {
      const sinceMs = missedSinceMs;
      missedSinceMs = undefined;
      return sinceMs;
    },
  };
}
