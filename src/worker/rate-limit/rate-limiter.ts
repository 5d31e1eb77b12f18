import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis/cloudflare';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { exactWindow } from './exact-window.ts';

export const REQUESTS_PER_WINDOW = 120;
export const WINDOW_SECONDS = 60;

/** If Redis takes longer, the request is admitted. */
const REDIS_BUDGET_MS = 1_000;
/** A refusal is repeated from memory for this long. A key revoked meanwhile gets 429 for this long. */
const REMEMBERED_MS = 1_000;

/** What a key has left of its requests. */
export type Allowance = {
  admitted: boolean;
  /** How many more requests would be admitted now. */
  remaining: number;
  /** Whole seconds until the oldest counted request leaves the window. A refused key is admitted then. */
  resetSeconds: number;
};

/** The whole quota, for a request without a key and while Redis is unavailable. */
export const FULL_ALLOWANCE: Allowance = {
  admitted: true,
  remaining: REQUESTS_PER_WINDOW,
  resetSeconds: WINDOW_SECONDS,
};

/** Counts requests by the key's hash, which is known before Postgres answers. */
export type RateLimiter = {
  /** The refusal of a live key that this isolate knows to be over its limit. Costs no trip. */
  refusal(keyHash: string): Allowance | undefined;
  /** Counts one request. Never rejects: if Redis fails, it logs that and admits the request. */
  take(keyHash: string): Promise<Allowance>;
  /** Call when a refused key is live: its requests are refused from memory for a second. */
  remember(keyHash: string): void;
  /** Call when a key is not live: its refusal is forgotten, and it gets 401. */
  forget(keyHash: string): void;
  /** @throws Error if Redis does not answer in time */
  ping(): Promise<void>;
};

/** By this isolate's clock, in ms. */
type Refusal = {
  isKeyAlive: boolean;
  /** Requests are refused without asking Redis until then. */
  untilMs: number;
  admittedAgainAtMs: number;
};

export function createRateLimiter(config: Config, log: Log): RateLimiter {
  const redis = new Redis({
    url: config.UPSTASH_REDIS_REST_URL,
    token: config.UPSTASH_REDIS_REST_TOKEN,
    // A retry does not fit the budget. `retry: false` would still send a failed request twice.
    retry: { retries: 0 },
    enableTelemetry: false,
    // Each request sends one command.
    enableAutoPipelining: false,
    signal: () => AbortSignal.timeout(REDIS_BUDGET_MS),
  });
  const limiter = new Ratelimit({
    redis,
    limiter: exactWindow(REQUESTS_PER_WINDOW, WINDOW_SECONDS * 1_000),
    prefix: 'rate-limit',
    // This cache would answer 429 to a revoked key until the end of the window.
    ephemeralCache: false,
    // The signal above is the time-out.
    timeout: 0,
  });
  const refusals = new Map<string, Refusal>();

  return {
    refusal(keyHash) {
      const known = refusals.get(keyHash);
      if (!known?.isKeyAlive) return undefined;
      if (Date.now() < known.untilMs) return allowance(false, 0, known.admittedAgainAtMs);
      refusals.delete(keyHash);
      return undefined;
    },

    async take(keyHash) {
      const askedAtMs = Date.now();
      try {
        const { success, remaining, reset } = await limiter.limit(keyHash);
        const answeredAtMs = Date.now();
        if (!success) {
          refusals.set(keyHash, {
            isKeyAlive: false,
            // Redis would refuse at least until then: it decided after askedAtMs.
            untilMs: Math.min(answeredAtMs + REMEMBERED_MS, askedAtMs + reset - answeredAtMs),
            admittedAgainAtMs: reset,
          });
        }
        return allowance(success, remaining, reset);
      } catch (error) {
        refusals.delete(keyHash);
        log.error('The rate limit is not enforced: Redis is unavailable.', error);
        return FULL_ALLOWANCE;
      }
    },

    remember(keyHash) {
      const known = refusals.get(keyHash);
      if (known) known.isKeyAlive = true;
    },

    forget: (keyHash) => void refusals.delete(keyHash),

    async ping() {
      await redis.ping();
    },
  };
}

const allowance = (admitted: boolean, remaining: number, resetAtMs: number): Allowance => ({
  admitted,
  remaining,
  resetSeconds: Math.max(1, Math.ceil((resetAtMs - Date.now()) / 1_000)),
});
