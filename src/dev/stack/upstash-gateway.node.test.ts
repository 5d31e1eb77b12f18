import { Redis } from '@upstash/redis';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Fault, Gateway } from './gateway.ts';
import { type LocalRedis, startRedis } from './redis.ts';
import { startUpstashGateway } from './upstash-gateway.ts';

/** Keys of this run: a real Redis is shared and keeps the keys of earlier runs. */
const run = crypto.randomUUID();
const own = (key: string) => `${run}:${key}`;

/** The commands that Redis received, in order. */
const asked: string[] = [];
let redis: LocalRedis;
let gateway: Gateway;

beforeAll(async () => {
  redis = await startRedis(inject('servers')?.redisUrl);
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

// With `retry: false` @upstash/redis still sends a failed request a second time.
const client = (token = 'local') =>
  new Redis({ url: gateway.origin, token, retry: { retries: 0 }, enableAutoPipelining: false });

test("runs a script without Upstash's flag", async () => {
  const script = '#!lua flags=allow-key-locking\nreturn {KEYS[1], tonumber(ARGV[1])}';
  asked.length = 0;
  expect(await client().eval(script, ['k'], ['1'])).toEqual(['k', 1]);
  expect(asked).toEqual(['eval']);
});

test('returns text, numbers and nil unchanged', async () => {
  const redis = client();
  expect(await redis.set(own('text'), 'Bogotá 🏃')).toBe('OK');
  expect(await redis.get(own('text'))).toBe('Bogotá 🏃');
  expect(await redis.get(own('absent'))).toBeNull();
  expect(await redis.incr(own('count'))).toBe(1);
  expect(await redis.mget(own('text'), own('absent'), own('count'))).toEqual([
    'Bogotá 🏃',
    null,
    1,
  ]);
});

test('answers 400 to errors and 401 to a wrong token', async () => {
  const unknown = await post('/', ['nonsense']);
  expect([unknown.status, await unknown.json()]).toEqual([
    400,
    { error: expect.stringMatching(/^ERR unknown command 'nonsense'/i) },
  ]);
  expect((await post('/', 'no JSON')).status).toBe(400);
  expect((await post('/pipeline', [['get', 'a']])).status).toBe(400);
  await expect(client('localhost').get('a')).rejects.toThrow('WRONGPASS');
});

test('applies a fault to the token with its tag alone', async () => {
  const setFault = (fault?: Fault) =>
    fetch(`${gateway.origin}/faults?for=torn`, { method: 'POST', body: JSON.stringify(fault) });
  await setFault({ kind: 'tear-after' });
  await expect(client('local.torn').incr(own('torn'))).rejects.toThrow();
  expect(await client('local.fine').get(own('torn'))).toBe(1);
  expect(await client().get(own('torn'))).toBe(1);
  await setFault();
  expect(await client('local.torn').get(own('torn'))).toBe(1);
});

test('answers 400 when Redis does not answer, and does not start without Redis', async () => {
  const dead: LocalRedis = { ...redis, call: () => Promise.reject(new Error('ECONNREFUSED')) };
  const before = await startUpstashGateway({ redis: dead, port: 0, token: 'local' });
  const response = await post('/', ['get', 'a'], before.origin);
  expect([response.status, await response.json()]).toEqual([400, { error: 'ECONNREFUSED' }]);
  await before.stop();
  const started = startRedis('redis://:s3cret@127.0.0.1:1');
  await expect(started).rejects.toThrow(/^Redis does not answer at 127.0.0.1:1: .*ECONNREFUSED.*$/);
});

function post(path: string, body: unknown, url = gateway.origin): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { Authorization: 'Bearer local' },
  });
}
