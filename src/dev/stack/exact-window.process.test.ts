import { Redis } from '@upstash/redis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Log } from '../../worker/log.ts';
import { exactWindow } from '../../worker/rate-limit/exact-window.ts';
import {
  type Allowance,
  createRateLimits,
  type RateLimiter,
  REQUESTS_PER_WINDOW,
  WINDOW_SECONDS,
} from '../../worker/rate-limit/rate-limiter.ts';
import { randomOf } from '../race-simulator/random.ts';
import type { Gateway } from './gateway.ts';
import { type LocalRedis, startRedis } from './redis.ts';
import { startUpstashGateway } from './upstash-gateway.ts';

const TOKEN = 'local';
const WINDOW_MS = WINDOW_SECONDS * 1_000;
const own = () => crypto.randomUUID();
const ORGANIZATION = crypto.randomUUID();

type Server = { redis: LocalRedis; gateway: Gateway };

async function startServer(url?: string): Promise<Server> {
  const redis = await startRedis(url);
  return { redis, gateway: await startUpstashGateway({ redis, port: 0, token: TOKEN }) };
}

async function stopServer({ redis, gateway }: Server): Promise<void> {
  await gateway.stop();
  await redis.stop();
}

const clientOf = ({ gateway }: Server) =>
  new Redis({
    url: gateway.origin,
    token: TOKEN,
    retry: { retries: 0 },
    enableAutoPipelining: false,
  });

describe('the rate limiter with a clock that the test sets', () => {
  // The mock's clock is this process's clock; a server's clock cannot be moved.
  let server: Server;
  let limiter: ReturnType<typeof isolate>;
  const failures: unknown[] = [];
  const log: Log = { info: () => {}, error: (_message, error) => void failures.push(error) };
  const isolate = (): { take: (key: string) => Promise<Allowance> } & Omit<RateLimiter, 'take'> => {
    const { keys: limiter } = createRateLimits(
      {
        UPSTASH_REDIS_REST_URL: server.gateway.origin,
        UPSTASH_REDIS_REST_TOKEN: TOKEN,
        DATABASE_URL: 'postgres://unused:unused@127.0.0.1:1/unused',
        broken: new Map(),
      },
      log,
    );
    return { ...limiter, take: (key) => limiter.take(key, () => {}) };
  };
  const start = 1_800_000_000_000;
  const setClock = (ms: number) => vi.setSystemTime(start + ms);

  beforeAll(async () => {
    server = await startServer();
    limiter = isolate();
  });
  afterAll(() => stopServer(server));
  afterEach(() => {
    vi.useRealTimers();
    expect(failures).toEqual([]);
  });

  async function takeAll(key: string, count: number, from = limiter): Promise<void> {
    for (let taken = 0; taken < count; taken++) {
      expect((await from.take(key)).admitted).toBe(true);
    }
  }

  /** Writes the limiter's keys for this many admitted requests, in a single command. */
  async function spend(key: string, count: number): Promise<void> {
    const times = (await clientOf(server).get<string>(`admitted:${key}`)) ?? '';
    const now = `${Date.now()}000`.repeat(count);
    await clientOf(server).set(`admitted:${key}`, times + now, { px: WINDOW_MS });
  }

  /** Requests of two keys: bursts, a steady two or three a second, and rests of up to 90 s. */
  function* arrivals(random: () => number, count: number) {
    const [busy, quiet] = [own(), own()];
    let now = 0;
    for (let sent = 0; sent < count; sent++) {
      const draw = random();
      if (draw > 0.995) now += Math.floor(random() * 1.5 * WINDOW_MS);
      else if (draw > 0.4) now += Math.floor(random() * 800);
      yield { key: random() < 0.8 ? busy : quiet, now };
    }
  }

  test('agrees with a model on random arrivals', async () => {
    const admittedOf = new Map<string, number[]>();
    let refused = 0;
    for (const { key, now } of arrivals(randomOf(1), 600)) {
      setClock(now);
      const admitted = admittedOf.get(key) ?? [];
      const counted = admitted.filter((at) => at > now - WINDOW_MS);
      const isAdmitted = counted.length < REQUESTS_PER_WINDOW;
      if (isAdmitted) admittedOf.set(key, [...admitted, now]);
      else refused += 1;
      expect(await limiter.take(key)).toEqual({
        admitted: isAdmitted,
        remaining: isAdmitted ? REQUESTS_PER_WINDOW - counted.length - 1 : 0,
        resetSeconds: Math.ceil(((counted[0] ?? now) + WINDOW_MS - now) / 1_000),
      });
    }
    expect(refused).toBeGreaterThan(50);
  });

  test.each([0, 1, 999, 1_000, 30_500, 59_001, 59_999])(
    'tells a key refused %i ms after its first request when the next one is admitted',
    async (refusedAt) => {
      const key = own();
      setClock(0);
      await takeAll(key, 1);
      setClock(refusedAt);
      await spend(key, REQUESTS_PER_WINDOW - 1);
      const { admitted, resetSeconds } = await limiter.take(key);
      expect(admitted).toBe(false);
      expect(resetSeconds).toBe(Math.ceil((WINDOW_MS - refusedAt) / 1_000));

      setClock(WINDOW_MS - 1);
      expect((await limiter.take(key)).admitted).toBe(false);
      setClock(refusedAt + resetSeconds * 1_000);
      expect((await limiter.take(key)).admitted).toBe(true);
    },
  );

  test('asks for no more than a minute when the clock of Redis was set back', async () => {
    const key = own();
    setClock(WINDOW_MS);
    await spend(key, REQUESTS_PER_WINDOW);
    setClock(0);
    expect(await limiter.take(key)).toEqual({ admitted: false, remaining: 0, resetSeconds: 60 });
  });

  test('does not count a refused request', async () => {
    const key = own();
    setClock(0);
    await takeAll(key, REQUESTS_PER_WINDOW);
    setClock(WINDOW_MS / 2);
    for (let sent = 0; sent < 30; sent++) expect((await limiter.take(key)).admitted).toBe(false);
    setClock(WINDOW_MS);
    expect((await limiter.take(key)).remaining).toBe(REQUESTS_PER_WINDOW - 1);
  });

  test('refuses a live key from memory for a second and then asks Redis again', async () => {
    const key = own();
    setClock(0);
    await spend(key, REQUESTS_PER_WINDOW);
    setClock(10_000);
    await limiter.take(key);
    expect(limiter.refusal(key)).toBeUndefined();
    limiter.remember(key, ORGANIZATION);
    expect(limiter.refusal(key)).toEqual({ admitted: false, remaining: 0, resetSeconds: 50 });
    setClock(10_999);
    expect(limiter.refusal(key)).toEqual({ admitted: false, remaining: 0, resetSeconds: 50 });
    setClock(11_000);
    expect(limiter.refusal(key)).toBeUndefined();
  });

  test('forgets the refusal of a key that turned out to be dead', async () => {
    const key = own();
    setClock(0);
    await spend(key, REQUESTS_PER_WINDOW);
    await limiter.take(key);
    limiter.remember(key, ORGANIZATION);
    limiter.forget(key);
    expect(limiter.refusal(key)).toBeUndefined();
  });

  test('never refuses from memory once Redis would admit', async () => {
    const key = own();
    setClock(0);
    await spend(key, REQUESTS_PER_WINDOW);
    setClock(WINDOW_MS - 300);
    await limiter.take(key);
    limiter.remember(key, ORGANIZATION);
    setClock(WINDOW_MS - 1);
    expect(limiter.refusal(key)?.resetSeconds).toBe(1);
    setClock(WINDOW_MS);
    expect(limiter.refusal(key)).toBeUndefined();
    await takeAll(key, 1);
  });

  test('keeps 120 times that expire a window after the last one', async () => {
    const key = own();
    const times = `admitted:${key}`;
    for (let ms = 0; ms < 2 * WINDOW_MS; ms += 400) {
      setClock(ms);
      await limiter.take(key);
    }
    expect(await clientOf(server).strlen(times)).toBe(16 * REQUESTS_PER_WINDOW);
    expect(await clientOf(server).pttl(times)).toBeLessThanOrEqual(WINDOW_MS);
    setClock(3 * WINDOW_MS);
    expect(await clientOf(server).exists(times)).toBe(0);
  });
});

describe('a window with the clock of Redis', () => {
  const LIMIT = 3;
  const SHORT_MS = 500;
  let server: Server;
  beforeAll(async () => {
    server = await startServer(inject('servers')?.redisUrl);
  });
  afterAll(() => stopServer(server));

  test('counts uses in the trip of the window, for as many days', async () => {
    let trips = 0;
    const redis: LocalRedis = {
      ...server.redis,
      call(command, args) {
        trips += 1;
        return server.redis.call(command, args);
      },
    };
    const gateway = await startUpstashGateway({ redis, port: 0, token: TOKEN });
    const { keys, uses } = createRateLimits(
      {
        UPSTASH_REDIS_REST_URL: gateway.origin,
        UPSTASH_REDIS_REST_TOKEN: TOKEN,
        DATABASE_URL: 'postgres://unused:unused@127.0.0.1:1/unused',
        broken: new Map(),
      },
      { info: () => {}, error: () => {} },
    );
    const [sender, keyId] = [own(), own()];
    for (let sent = 0; sent < 10; sent++) {
      const use = uses.begin(sender, sent % 2 === 0);
      use.of(keyId);
      await keys.take(sender, () => {});
      use.end(sent === 4 ? 'NOT_FOUND' : undefined, () => {});
    }
    expect(trips).toBe(10);
    const [today] = await uses.read(keyId, new Date());
    expect(today).toMatchObject({ requests: 10, personal: 4, refusals: { NOT_FOUND: 1 } });
    const day = new Date().toISOString().slice(0, 10);
    const kept = await clientOf(server).ttl(`uses:${keyId}:${day}`);
    expect(kept).toBeGreaterThan(14 * 24 * 3_600);
    await gateway.stop();
  });

  test('admits 120 of 400 concurrent requests and counts down what is left', async () => {
    const take = exactWindow(clientOf(server), 'admitted', REQUESTS_PER_WINDOW, WINDOW_MS);
    const key = own();
    const verdicts = await Promise.all(Array.from({ length: 400 }, () => take(key)));
    const left = verdicts.filter(({ admitted }) => admitted).map(({ remaining }) => remaining);
    expect(left.sort((a, b) => b - a)).toEqual(
      Array.from({ length: REQUESTS_PER_WINDOW }, (_, index) => REQUESTS_PER_WINDOW - 1 - index),
    );
  });

  test('admits its number of requests in any window, no more and no fewer', async () => {
    const redis = clientOf(server);
    const key = own();
    const take = exactWindow(redis, 'admitted', LIMIT, SHORT_MS);
    const random = randomOf(7);
    const admitted: number[] = [];
    const countedAt = (us: number) => admitted.filter((at) => at > us - SHORT_MS * 1_000).length;
    const clock = async () => {
      const [seconds, us] = await redis.eval<[], [string, string]>(
        "return redis.call('TIME')",
        [],
        [],
      );
      return Number(seconds) * 1_000_000 + Number(us);
    };
    let refused = 0;
    for (let arrival = 0; arrival < 60; arrival++) {
      await new Promise((resolve) => setTimeout(resolve, random() * 60));
      const before = await clock();
      const verdict = await take(key);
      if (!verdict.admitted) {
        refused += 1;
        expect(countedAt(before)).toBe(LIMIT);
        continue;
      }
      const at = Number(`${await redis.getrange(`admitted:${key}`, -16, -1)}`);
      expect(at).toBeGreaterThanOrEqual(before);
      expect(countedAt(at)).toBeLessThan(LIMIT);
      admitted.push(at);
    }
    expect(refused).toBeGreaterThan(3);
  });
});
