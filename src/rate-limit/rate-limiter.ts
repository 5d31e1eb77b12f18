import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';

export const REQUESTS_PER_WINDOW = 120;
export const WINDOW_SECONDS = 60;

/** A Redis slower than this is treated as away: the request it would have judged goes through. */
const REDIS_BUDGET_MS = 1_000;
const KEY_SPACE = 'rate-limit';

/** What is left of a key's quota (contract section 8). */
export type Allowance = {
  admitted: boolean;
  /** Requests left in the window. */
  remaining: number;
  /** Whole seconds after which a refused request is admitted, and a full window begins. */
  resetSeconds: number;
};

/** The whole quota: what is told of a key that is not counted, or when Redis is away. */
export const FULL_ALLOWANCE: Allowance = {
  admitted: true,
  remaining: REQUESTS_PER_WINDOW,
  resetSeconds: WINDOW_SECONDS,
};

/** Counts requests by the key's hash, which is known before anything is asked of Postgres. */
export type RateLimiter = {
  /** The refusal of a key that this isolate already knows to be over its limit; costs no trip. */
  refusal(keyHash: string): Allowance | undefined;
  /** Counts one request. Never rejects: without Redis the request is admitted, and that is logged. */
  take(keyHash: string): Promise<Allowance>;
  /** Drops what this isolate remembers of a key that turned out not to exist. */
  forget(keyHash: string): void;
  /** @throws when Redis does not answer in time. */
  ping(): Promise<void>;
};

export function createRateLimiter(config: Config, log: Log): RateLimiter {
  const redis = new Redis({
    url: config.UPSTASH_REDIS_REST_URL,
    token: config.UPSTASH_REDIS_REST_TOKEN,
    // A retry would not fit the budget; a request let through is cheaper than one kept waiting.
    // (`retry: false` would send a failed request twice all the same.)
    retry: { retries: 0 },
    enableTelemetry: false,
    // There is one command a request.
    enableAutoPipelining: false,
    signal: () => AbortSignal.timeout(REDIS_BUDGET_MS),
  });
  /** `<key space>:<key hash>` → the instant in ms at which its window ends. */
  const overLimit = new Map<string, number>();
  const limiter = new Ratelimit({
    redis,
    limiter: Ratelimit.slidingWindow(REQUESTS_PER_WINDOW, `${WINDOW_SECONDS} s`),
    prefix: KEY_SPACE,
    ephemeralCache: overLimit,
    // The signal above bounds the wait, and says why it ended.
    timeout: 0,
  });
  const forget = (keyHash: string) => void overLimit.delete(`${KEY_SPACE}:${keyHash}`);

  return {
    forget,

    refusal(keyHash) {
      const resetAtMs = overLimit.get(`${KEY_SPACE}:${keyHash}`);
      if (resetAtMs === undefined) return undefined;
      if (resetAtMs > Date.now()) return allowance(false, 0, resetAtMs);
      forget(keyHash);
      return undefined;
    },

    async take(keyHash) {
      try {
        const { success, remaining, reset } = await limiter.limit(keyHash);
        if (!Number.isInteger(remaining)) throw new Error('Redis answered with no count.');
        return allowance(success, remaining, reset);
      } catch (error) {
        forget(keyHash);
        log.error('The rate limit is not enforced: Redis is away.', error);
        return FULL_ALLOWANCE;
      }
    },

    async ping() {
      await redis.ping();
    },
  };
}

/**
 * At the very millisecond in which a window ends, the one before it still weighs in full; any later
 * one is admitted. Hence the next whole second rather than the nearest.
 */
const allowance = (admitted: boolean, remaining: number, resetAtMs: number): Allowance => ({
  admitted,
  remaining,
  resetSeconds: Math.max(1, Math.floor((resetAtMs - Date.now()) / 1_000) + 1),
});
