import { type Algorithm, Ratelimit } from '@upstash/ratelimit';
import type { Redis } from '@upstash/redis';
import * as z from 'zod/mini';
import { later } from '../later.ts';
import { addTally, type Tally } from './uses.ts';

/**
 * Judges a request, and counts an admitted request. A single string holds the times of the last admitted requests: 16
 * digits each, oldest first, in microseconds by the clock of Redis, which all isolates share. A list would take more
 * commands, and Upstash bills each command of a script.
 *
 * The flag in the first line lets Upstash run the script beside scripts on different keys. Numbers with an exponent are
 * floats everywhere: integers of the embedded Redis have 32 bits.
 */
const SCRIPT = `#!lua flags=allow-key-locking${addTally(3)}
local limit, window = tonumber(ARGV[1]), ARGV[2] * 1e3
local clock = redis.call('TIME')
local now = clock[1] * 1e6 + clock[2]
local times = redis.call('GET', KEYS[1]) or ''
local first = 1
while first < #times and times:sub(first, first + 15) + window <= now do first = first + 16 end
times = times:sub(first)
local counted = math.floor(#times / 16)
local reset = window
if counted > 0 then reset = math.min(window, times:sub(1, 16) + window - now) end
if counted >= limit then return { 0, 0, reset } end
redis.call('SET', KEYS[1], times .. string.format('%016.0f', now), 'PX', ARGV[2])
return { 1, limit - counted - 1, reset }`;

const count = () => z.int().check(z.nonnegative());

/** Admitted or not, how many more would be, and microseconds until the oldest leaves the window. */
const answerSchema = later(() => z.tuple([z.literal([0, 1]), count(), count()]));

export type Verdict = {
  admitted: boolean;
  /** How many more requests would be admitted now. */
  remaining: number;
  /** When the oldest counted request leaves the window, by this isolate's clock. A refused key is admitted then. */
  resetAtMs: number;
};

const unused = () => Promise.reject(new Error('Only limit() of this window is used.'));

/** The package's own sliding window estimates the count from two fixed windows. This window is exact. */
const slidingLog =
  (
    requests: number,
    windowMs: number,
    tallyOf: (key: string) => Tally | undefined,
  ): Algorithm<{ redis: Redis }> =>
  () => ({
    async limit({ redis }, key) {
      const { hash, added = [] } = tallyOf(key) ?? {};
      const keys = hash === undefined ? [key] : [key, hash];
      const answer = await redis.eval(SCRIPT, keys, [`${requests}`, `${windowMs}`, ...added]);
      const [admitted, remaining, resetUs] = answerSchema().parse(answer);
      return {
        success: admitted === 1,
        limit: requests,
        remaining,
        reset: Date.now() + resetUs / 1_000,
        pending: Promise.resolve(),
      };
    },
    getRemaining: unused,
    resetTokens: unused,
  });

/** Judges a request of a sender, and counts an admitted request. @throws Error if Redis fails */
export type CountRequest = (sender: string) => Promise<Verdict>;

/**
 * Counts requests in an exact sliding window: refuses a request only after `requests` admitted requests of the sender
 * in the last `windowMs`.
 * @param claim takes the counts of uses that a request of the sender carries
 */
export function exactWindow(
  redis: Redis,
  prefix: string,
  requests: number,
  windowMs: number,
  claim: (sender: string) => Tally | undefined = () => undefined,
): CountRequest {
  const window = new Ratelimit({
    redis,
    limiter: slidingLog(requests, windowMs, (key) => claim(key.slice(`${prefix}:`.length))),
    prefix,
    // This cache would answer 429 to a revoked key until the end of the window.
    ephemeralCache: false,
    // After a timeout the package would admit the request and drop the verdict.
    timeout: 0,
  });
  return async (sender) => {
    const { success, remaining, reset } = await window.limit(sender);
    return { admitted: success, remaining, resetAtMs: reset };
  };
}
