import type { Algorithm } from '@upstash/ratelimit';
import type { Redis } from '@upstash/redis';
import * as z from 'zod/mini';

/**
 * Judges one request, and counts it if it is admitted. The list holds when the last ones were admitted,
 * newest first, in microseconds by the clock of Redis, which all isolates share.
 *
 * The flag in the first line lets Upstash run it beside scripts on other keys. Numbers with an exponent
 * are floats everywhere: integers of the embedded Redis have 32 bits.
 */
const SCRIPT = `#!lua flags=allow-key-locking
local limit, window = tonumber(ARGV[1]), ARGV[2] * 1e3
local clock = redis.call('TIME')
local now = clock[1] * 1e6 + clock[2]
local times = redis.call('LRANGE', KEYS[1], 0, -1)
local counted = #times
while counted > 0 and times[counted] + window <= now do counted = counted - 1 end
local oldest = counted > 0 and times[counted] or now
local reset = oldest + window - now
if counted >= limit then return { 0, 0, reset } end
if #times >= limit then redis.call('LTRIM', KEYS[1], 0, counted - 1) end
redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return { 1, limit - counted - 1, reset }`;

const count = z.int().check(z.nonnegative());

/** Admitted or not, how many more would be, and microseconds until the oldest leaves the window. */
const verdictSchema = z.tuple([z.literal([0, 1]), count, count]);

const unused = () => Promise.reject(new Error('Only limit() of this window is used.'));

/**
 * An exact sliding window for @upstash/ratelimit: a request is refused only if `requests` of the same
 * key were admitted in the `windowMs` before it. `reset` is when the oldest of these leaves the
 * window, and a refused key is admitted again.
 */
export const exactWindow =
  (requests: number, windowMs: number): Algorithm<{ redis: Redis }> =>
  () => ({
    async limit({ redis }, key) {
      const script = redis.createScript(SCRIPT);
      const verdict = verdictSchema.parse(await script.exec([key], [`${requests}`, `${windowMs}`]));
      const [admitted, remaining, resetUs] = verdict;
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
