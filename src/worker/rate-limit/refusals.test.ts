import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { configureEvent, createRace } from '../../testing/factories.ts';
import { startLimitedApp, testConfig, withKey } from '../../testing/harness.ts';
import { generateApiKey } from '../auth/api-key/api-key.ts';

const LIMIT = 3;

afterEach(() => void vi.useRealTimers());

/** The next look-up of an address begins at once. */
const passSecond = () => vi.setSystemTime(Date.now() + 1_000);

/** Counts as the binding does: the call after the limit fails. */
function startCounting(limit = LIMIT) {
  const counts = new Map<string, number>();
  const counter = {
    async limit({ key }: { key: string }) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return { success: (counts.get(key) ?? 0) <= limit };
    },
  };
  const app = startLimitedApp({ ...testConfig, REFUSALS: counter });
  const ask = (path: string, { from = '192.0.2.1', key = '' } = {}) =>
    app.request(path, {
      headers: { 'CF-Connecting-IP': from, ...(key && withKey(key)) },
    });
  return { ask, counts, logged: app.logged };
}

describe('refused answers', () => {
  test('looks up the keys of an address that sent too many dead ones together, once a second', async () => {
    const { ask, logged } = startCounting();
    const sendDead = (from?: string) =>
      ask('/public/v1/events', { key: generateApiKey(), ...(from && { from }) });
    for (let sent = 0; sent <= LIMIT; sent++)
      await expectError(await sendDead(), 401, 'UNAUTHORIZED');
    const { key } = await createRace();
    logged.length = 0;
    const startedAt = Date.now();
    const [first, live, ...dead] = await Promise.all([
      sendDead(),
      ask('/public/v1/events', { key }),
      ...Array.from({ length: 20 }, () => sendDead()),
    ]);
    expect(live.status).toBe(200);
    for (const answer of [first, ...dead]) await expectError(answer, 401, 'UNAUTHORIZED');
    const trips = logged.map((line) => Number(line['trips']));
    // A single look-up, and the read of the live key.
    expect(trips.reduce((sum, count) => sum + count)).toBe(2);
    await sendDead();
    expect(Date.now() - startedAt).toBeGreaterThan(900);
    await expectError(await sendDead('192.0.2.2'), 401, 'UNAUTHORIZED');
  });

  test('answers 429 if too many keys of an address wait for a look-up', async () => {
    const { ask } = startCounting();
    const sendDead = () => ask('/public/v1/events', { key: generateApiKey() });
    for (let sent = 0; sent <= LIMIT; sent++) await sendDead();
    const answers = await Promise.all(Array.from({ length: 110 }, sendDead));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get('Retry-After')).toBe('10');
  });

  test('refuses no board and delays no other key for a program that repeats one dead key', async () => {
    const { ask, logged } = startCounting();
    const dead = generateApiKey();
    for (let sent = 0; sent <= 2 * LIMIT; sent++) {
      passSecond();
      await ask('/public/v1/events', { key: dead });
    }
    const { key, eventId } = await createRace();
    logged.length = 0;
    await expectError(await ask(`/board/${eventId}/data`), 404, 'NOT_FOUND');
    expect((await ask('/public/v1/events', { key })).status).toBe(200);
    expect(logged).toMatchObject([{ status: 404 }, { status: 200, trips: 1 }]);
  });

  test('looks up the boards of an address that asked for too many together, once a second', async () => {
    const { ask, logged } = startCounting();
    for (let sent = 0; sent <= LIMIT; sent++) {
      const response = await ask(`/board/${crypto.randomUUID()}/data`);
      await expectError(response, 404, 'NOT_FOUND');
    }
    logged.length = 0;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask(`/board/${crypto.randomUUID()}/data`)),
    );
    for (const answer of answers) await expectError(answer, 429, 'RATE_LIMITED');
    expect(answers[0]?.headers.get('Cache-Control')).toBe('private, no-store');
    const trips = logged.map((line) => Number(line['trips']));
    expect(trips.reduce((sum, count) => sum + count)).toBe(1);
    logged.length = 0;
    await expectError(await ask('/board/17/data'), 429, 'RATE_LIMITED');
    expect(logged).toMatchObject([{ status: 429, trips: 0 }]);
  });

  test('serves an open board to an address that asked for too many that are not', async () => {
    const { ask, logged } = startCounting();
    const { eventId } = await createRace();
    await configureEvent(eventId, { board_enabled: true });
    passSecond();
    const missing = () => ask(`/board/${crypto.randomUUID()}/data`);
    for (let sent = 0; sent <= LIMIT; sent++) await missing();
    await expectError(await missing(), 429, 'RATE_LIMITED');
    const paths = ['', '/data', '/results', '/find?q=a'].map((end) => `/board/${eventId}${end}`);
    for (const path of [...paths, `/board/v1/${eventId}`, `/board/v1/${eventId}/results`]) {
      passSecond();
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    }
    // The board is remembered: only the documents are read again.
    logged.length = 0;
    expect((await ask(`/board/${eventId}/data`)).status).toBe(200);
    expect(logged).toMatchObject([{ status: 200, trips: 0 }]);
  });

  test('still serves a key that this isolate served before', async () => {
    const { ask } = startCounting();
    const { key } = await createRace();
    expect((await ask('/public/v1/events', { key })).status).toBe(200);
    for (let sent = 0; sent <= LIMIT; sent++) {
      await ask('/public/v1/events', { key: generateApiKey() });
    }
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
    const networks = [...counts].filter(([name]) => /^keys \S+$/.test(name));
    expect(networks.map(([, count]) => count)).toEqual([2, 1, 1]);
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
