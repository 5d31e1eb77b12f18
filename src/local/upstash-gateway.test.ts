import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Fault } from './faults.ts';
import { type LocalRedis, startRedis } from './redis.ts';
import { startUpstashGateway, type UpstashGateway } from './upstash-gateway.ts';

/** A key of this run: a real Redis is shared, and remembers. */
const run = crypto.randomUUID();
const own = (key: string) => `${run}:${key}`;

/** What Redis was asked, in order. */
const asked: string[] = [];
let redis: LocalRedis;
let gateway: UpstashGateway;

beforeAll(async () => {
  redis = await startRedis({ url: inject('servers')?.redisUrl });
  const watched: LocalRedis = {
    ...redis,
    call(command, args) {
      asked.push(command);
      return redis.call(command, args);
    },
  };
  gateway = await startUpstashGateway({ redis: watched, port: 0, token: 'local' });
});
afterAll(async () => {
  await gateway.stop();
  await redis.stop();
});

// Not `retry: false`: with that @upstash/redis still sends a failed request a second time.
const client = (token = 'local') => new Redis({ url: gateway.url, token, retry: { retries: 0 } });
const limiter = (token?: string) =>
  new Ratelimit({
    redis: client(token),
    limiter: Ratelimit.slidingWindow(120, '60 s'),
    ephemeralCache: false,
    timeout: 0,
  });

test('the sliding window admits 120 and refuses the next', async () => {
  const window = limiter();
  const decide = (key: string) => window.limit(key);
  const first = await Promise.all(Array.from({ length: 120 }, () => decide(own('key'))));
  expect(first.every(({ success }) => success)).toBe(true);
  expect(Math.min(...first.map(({ remaining }) => remaining))).toBe(0);
  expect(await decide(own('key'))).toMatchObject({ success: false, limit: 120 });
  expect(await decide(own('other key'))).toMatchObject({ success: true, remaining: 119 });
  // Buckets of the window leave by themselves.
  const [bucket = ''] = await client().keys(`*:${own('key')}:*`);
  expect(await client().pttl(bucket)).toBeGreaterThan(60_000);
});

test('a script is sent once, and then known by the digest the client computes', async () => {
  // A script of this run, which a Redis that remembers has not seen.
  const script = `#!lua flags=allow-key-locking\nreturn {KEYS[1], tonumber(ARGV[1]), false} -- ${run}`;
  const known = client().createScript<unknown[]>(script);
  await expect(known.evalsha(['k'], ['1'])).rejects.toThrow('NOSCRIPT');
  asked.length = 0;
  expect(await known.exec(['k'], ['1'])).toEqual(['k', 1, null]);
  expect(await known.exec(['k'], ['2'])).toEqual(['k', 2, null]);
  expect(asked).toEqual(['evalsha', 'eval', 'evalsha']);
});

test('values of every kind come back as they went', async () => {
  const redis = client();
  expect(await redis.set(own('text'), 'Bogotá 🏃')).toBe('OK');
  expect(await redis.get(own('text'))).toBe('Bogotá 🏃');
  expect(await redis.get(own('absent'))).toBeNull();
  expect(await redis.incr(own('count'))).toBe(1);
  await redis.hset(own('runner'), { bib: '12', split: { km5: 1 } });
  expect(await redis.hgetall(own('runner'))).toEqual({ bib: 12, split: { km5: 1 } });
  expect(await redis.mget(own('text'), own('absent'), own('count'))).toEqual([
    'Bogotá 🏃',
    null,
    1,
  ]);
});

test('a pipeline answers command by command', async () => {
  const pipeline = client()
    .pipeline()
    .set(own('a'), 'OK?')
    .evalsha('0'.repeat(40), [], [])
    .get(own('a'));
  const replies = await pipeline.exec({ keepErrors: true });
  expect(replies).toMatchObject([
    { result: 'OK' },
    { error: expect.stringContaining('NOSCRIPT') },
    { result: 'OK?' },
  ]);
});

test('multi-exec runs all, or nothing when a command is unknown', async () => {
  expect(await client().multi().set(own('m'), 1).incr(own('m')).exec()).toEqual(['OK', 2]);
  const response = await post('/multi-exec', [['incr', own('m')], ['nonsense']]);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: expect.stringContaining('EXECABORT') });
  expect(await client().get(own('m'))).toBe(2);
});

test('errors are 400, a wrong token 401', async () => {
  const unknown = await post('/', ['nonsense']);
  expect([unknown.status, await unknown.json()]).toEqual([
    400,
    { error: expect.stringMatching(/^ERR unknown command 'nonsense'/i) },
  ]);
  expect((await post('/', 'no JSON')).status).toBe(400);
  await expect(client('localhost').get('a')).rejects.toThrow('WRONGPASS');
});

test('faults meet the token that carries their tag, and no other', async () => {
  const setFault = (fault: Fault) =>
    fetch(`${gateway.url}/faults`, { method: 'POST', body: JSON.stringify(fault) });
  await setFault({ for: 'torn', kind: 'tear-after' });
  await expect(client('local.torn').incr(own('torn'))).rejects.toThrow();
  await expect(limiter('local.torn').limit(own('x'))).rejects.toThrow();
  expect(await client('local.fine').get(own('torn'))).toBe(1);
  expect(await client().get(own('torn'))).toBe(1);
  await fetch(`${gateway.url}/faults?for=torn`, { method: 'DELETE' });
  expect(await client('local.torn').get(own('torn'))).toBe(1);

  expect((await setFault({ for: 'x', kind: 'sqlstate', sqlstate: '40001' })).status).toBe(400);
});

test('a Redis that does not answer is 500; one that never did is one line', async () => {
  const dead: LocalRedis = { ...redis, call: () => Promise.reject(new Error('ECONNREFUSED')) };
  const before = await startUpstashGateway({ redis: dead, port: 0, token: 'local' });
  const response = await post('/', ['get', 'a'], before.url);
  expect([response.status, await response.json()]).toEqual([
    500,
    { error: 'ERR Redis does not answer: ECONNREFUSED' },
  ]);
  await before.stop();
  const started = startRedis({ url: 'redis://:s3cret@127.0.0.1:1' });
  await expect(started).rejects.toThrow(/^Redis does not answer at 127.0.0.1:1: .*ECONNREFUSED.*$/);
});

function post(path: string, body: unknown, url = gateway.url): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { Authorization: 'Bearer local' },
  });
}
