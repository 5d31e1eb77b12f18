import { Redis } from '@upstash/redis/cloudflare';
import type { Config } from '../config.ts';
import { inTime } from '../in-time.ts';
import type { Log } from '../log.ts';
import { createAvailability } from './availability.ts';
import { exactWindow, type Verdict } from './exact-window.ts';
import { createKnownKeys } from './known-keys.ts';

export const REQUESTS_PER_WINDOW = 120;
export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;

/** If Redis takes longer, the isolate judges by the requests that it admitted itself. */
const REDIS_BUDGET_MS = 1_000;
/** A later verdict is lost. */
const LATE_VERDICT_MS = 10_000;

/** The requests that a key has left. */
export type Allowance = {
  admitted: boolean;
  /** How many more requests would be admitted now. */
  remaining: number;
  /** Whole seconds until the oldest counted request leaves the window. A refused key is admitted then. */
  resetSeconds: number;
};

/** The whole quota, for a request without a key. */
export const FULL_ALLOWANCE: Allowance = {
  admitted: true,
  remaining: REQUESTS_PER_WINDOW,
  resetSeconds: WINDOW_SECONDS,
};

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Counts requests by the key's hash, which is known before Postgres answers. */
export function createRateLimiter(config: Config, log: Log) {
  const redis = new Redis({
    url: config.UPSTASH_REDIS_REST_URL,
    token: config.UPSTASH_REDIS_REST_TOKEN,
    // A retry does not fit the budget. `retry: false` would still send a failed request twice.
    retry: { retries: 0 },
    enableTelemetry: false,
    // Each request sends one command.
    enableAutoPipelining: false,
    signal: () => AbortSignal.timeout(LATE_VERDICT_MS),
  });
  const count = exactWindow(redis, REQUESTS_PER_WINDOW, WINDOW_MS);
  const availability = createAvailability(log);
  const known = createKnownKeys(REQUESTS_PER_WINDOW, WINDOW_MS);

  async function ask(keyHash: string): Promise<Verdict> {
    const askedAtMs = Date.now();
    const verdict = await count(keyHash);
    if (!verdict.admitted) known.refuse(keyHash, verdict, askedAtMs);
    return verdict;
  }

  /** @returns undefined if Redis is late or fails */
  async function inTimeOrNot(asked: Promise<Verdict>): Promise<Verdict | undefined> {
    try {
      const verdict = await inTime(asked, REDIS_BUDGET_MS, () => new Error('no answer in time'));
      availability.answered();
      return verdict;
    } catch (error) {
      availability.failed(error);
      return undefined;
    }
  }

  return {
    /** The refusal of a live key that this isolate knows to be over its limit. Costs no trip. */
    refusal(keyHash: string): Allowance | undefined {
      const refusal = known.refusalOfLive(keyHash);
      return refusal && allowanceOf(refusal);
    },

    /**
     * Counts one request. Never rejects: if Redis is late or fails, the isolate judges by itself.
     * @param keepAlive receives what may take longer than the request
     */
    async take(keyHash: string, keepAlive: (late: Promise<unknown>) => void): Promise<Allowance> {
      const refusal = known.refusalOf(keyHash);
      if (refusal) return allowanceOf(refusal);

      // First here: a burst would otherwise ask Redis and the database for each of its requests.
      const receivedAtMs = Date.now();
      const own = known.take(keyHash, receivedAtMs);
      if (!own.admitted) {
        known.refuse(keyHash, own, receivedAtMs);
        return allowanceOf(own);
      }
      const isAway = availability.isAway();
      const asked = availability.mayAsk() ? ask(keyHash) : undefined;
      const verdictInTime = asked && inTimeOrNot(asked);
      keepAlive(Promise.allSettled([asked, verdictInTime]));
      const verdict = isAway ? undefined : await verdictInTime;
      if (!asked) availability.addUncounted();
      else if (!verdict) asked.catch(availability.addUncounted);
      else if (!verdict.admitted) known.giveBack(keyHash, receivedAtMs);
      return allowanceOf(verdict ?? own);
    },

    /** Whether the key was live when this isolate last saw it. */
    hasServed: known.wasLive,
    /** Call when a key is live. If it is refused, its requests are refused from memory for a second. */
    remember: known.confirm,
    /** Call when a key is not live: all about it is forgotten, and it gets 401. */
    forget: known.forget,

    /** @throws Error if Redis does not answer */
    async ping(): Promise<void> {
      await redis.ping();
    },
  };
}

const allowanceOf = ({ admitted, remaining, resetAtMs }: Verdict): Allowance => ({
  admitted,
  remaining,
  // A clock that was set back must not stretch the window.
  resetSeconds: Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil((resetAtMs - Date.now()) / 1_000))),
});
