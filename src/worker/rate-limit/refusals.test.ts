import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createRace } from '../../testing/factories.ts';
import { startLimitedApp, testConfig, withKey } from '../../testing/harness.ts';
import { generateApiKey } from '../auth/api-key/api-key.ts';
import { createRefusals } from './refusals.ts';

const LIMIT = 3;

/** Counts as the binding does: the call after the limit fails. */
function startCounting(limit = LIMIT) {
  const counts = new Map<string, number>();
  const refusals = createRefusals({
    async limit({ key }) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return { success: (counts.get(key) ?? 0) <= limit };
    },
  });
  const app = startLimitedApp(testConfig, { refusals });
  const ask = (path: string, { from = '192.0.2.1', key = '' } = {}) =>
    app.request(path, {
      headers: { 'CF-Connecting-IP': from, ...(key && withKey(key)) },
    });
  return { ask, counts, logged: app.logged };
}

describe('refused answers', () => {
  test('answers 429 without a trip to an address that sent too many false keys', async () => {
    const { ask, logged } = startCounting();
    for (let sent = 0; sent <= LIMIT; sent++) {
      const response = await ask('/public/v1/events', { key: generateApiKey() });
      await expectError(response, 401, 'UNAUTHORIZED');
    }
    logged.length = 0;
    const response = await ask('/public/v1/events', { key: generateApiKey() });
    await expectError(response, 429, 'RATE_LIMITED');
    expect(response.headers.get('Retry-After')).toBe('10');
    expect(logged).toMatchObject([{ status: 429, trips: 0 }]);
    const other = await ask('/public/v1/events', { key: generateApiKey(), from: '192.0.2.2' });
    await expectError(other, 401, 'UNAUTHORIZED');
  });

  test('answers 429 without a trip to an address that asked for too many boards', async () => {
    const { ask, logged } = startCounting();
    for (let sent = 0; sent <= LIMIT; sent++) {
      const response = await ask(`/board/${crypto.randomUUID()}/data`);
      await expectError(response, 404, 'NOT_FOUND');
    }
    logged.length = 0;
    const response = await ask(`/board/${crypto.randomUUID()}/data`);
    await expectError(response, 429, 'RATE_LIMITED');
    expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    expect(logged).toMatchObject([{ status: 429, trips: 0 }]);
  });

  test('still serves a key that this isolate served before', async () => {
    const { ask } = startCounting();
    const { key } = await createRace();
    expect((await ask('/public/v1/events', { key })).status).toBe(200);
    for (let sent = 0; sent <= LIMIT; sent++) {
      await ask('/public/v1/events', { key: generateApiKey() });
    }
    expect((await ask('/public/v1/events', { key: generateApiKey() })).status).toBe(429);
    expect((await ask('/public/v1/events', { key })).status).toBe(200);
  });

  test('counts neither answers that are served nor refusals without a trip', async () => {
    const { ask, counts } = startCounting();
    const { key, path } = await createRace();
    for (const [target, sent] of [
      [path, key],
      [`${path}/participants/lookup`, key],
      ['/public/v1/events/17', key],
      ['/public/v1/events', ''],
      ['/public/v1/events', 'er_live_short'],
      ['/board/17', ''],
      ['/nothing', ''],
    ] as const) {
      await ask(target, { key: sent });
    }
    expect(counts).toEqual(new Map());
  });

  test('counts an IPv6 network as one address', async () => {
    const { ask, counts } = startCounting();
    for (const from of ['2001:db8:0:7::1', '2001:db8::7:0:0:0:2', '2001:db8:0:8::1', '::1']) {
      await ask('/public/v1/events', { key: generateApiKey(), from });
    }
    expect([...counts.values()]).toEqual([2, 1, 1]);
  });

  test('counts nothing without the binding', async () => {
    const app = startLimitedApp();
    for (let sent = 0; sent < 5; sent++) {
      const headers = { 'CF-Connecting-IP': '192.0.2.3', ...withKey(generateApiKey()) };
      const response = await app.request('/public/v1/events', { headers });
      await expectError(response, 401, 'UNAUTHORIZED');
    }
  });
});
