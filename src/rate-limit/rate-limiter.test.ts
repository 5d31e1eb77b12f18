import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { generateApiKey } from '../caller/api-key.ts';
import type { Log } from '../log.ts';
import { expectError } from '../testing/assertions.ts';
import { createKey, createOrganization, createRace } from '../testing/factories.ts';
import { injectFault, withoutServices } from '../testing/faults.ts';
import { startApp, testConfig, withKey } from '../testing/harness.ts';
import { createRateLimiter, REQUESTS_PER_WINDOW, WINDOW_SECONDS } from './rate-limiter.ts';

const WINDOW_MS = WINDOW_SECONDS * 1_000;
/** A minute of its own: only the tests' clock moves, and the limiter tells Redis what time it is. */
const windowStart = Math.ceil(Date.now() / WINDOW_MS) * WINDOW_MS;
const setClock = (msIntoWindow: number) => vi.setSystemTime(windowStart + msIntoWindow);

beforeEach(() => void setClock(0));
afterEach(() => void vi.useRealTimers());

const { request } = startApp();

const listEvents = (key: string, ask = request) =>
  ask('/public/v1/events', { headers: withKey(key) });

async function useUp(key: string, ask = request): Promise<void> {
  const sent = Array.from({ length: REQUESTS_PER_WINDOW }, () => listEvents(key, ask));
  await Promise.all(sent);
}

function fieldsOf({ headers }: Response) {
  const [, remaining, reset] =
    /^"per-key";r=(\d+);t=(\d+)$/.exec(headers.get('RateLimit') ?? '') ?? [];
  return {
    remaining: Number(remaining),
    reset: Number(reset),
    policy: headers.get('RateLimit-Policy'),
  };
}

describe('a key', () => {
  test('has 120 requests a minute, and is refused the next one', async () => {
    const key = await createKey(await createOrganization());
    const sent = await Promise.all(
      Array.from({ length: REQUESTS_PER_WINDOW }, () => listEvents(key)),
    );
    expect(REQUESTS_PER_WINDOW).toBe(120);
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));

    const refused = await listEvents(key);
    await expectError(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
    expect(fieldsOf(refused)).toMatchObject({
      remaining: 0,
      reset: Number(refused.headers.get('Retry-After')),
    });
  });

  test('is told what it has left, one less each time', async () => {
    const key = await createKey(await createOrganization());
    setClock(12_300);
    const told: unknown[] = [];
    for (let sent = 0; sent < 3; sent++) told.push(fieldsOf(await listEvents(key)));
    const policy = '"per-key";q=120;w=60';
    expect(told).toEqual([
      { remaining: 119, reset: 48, policy },
      { remaining: 118, reset: 48, policy },
      { remaining: 117, reset: 48, policy },
    ]);
  });

  test('spends one request on each operation, however it ends and however many trips it takes', async () => {
    const { key, path, organizationId } = await createRace({ bibs: ['1'] });
    const headers = { ...withKey(key), 'Content-Type': 'application/json' };
    const upload = JSON.stringify({ results: [{ bib_number: '1', time: '41:02' }] });
    const asked: [string, RequestInit][] = [
      [path, {}],
      [`${path}/participants?page=0`, {}],
      ['/public/v1/events/17', {}],
      [`/public/v1/events/${organizationId}`, {}],
      [`${path}/results`, { method: 'POST', body: upload }],
      [`${path}/results`, { method: 'POST', body: '{' }],
    ];
    const left: number[] = [];
    for (const [target, init] of asked) {
      left.push(fieldsOf(await request(target, { headers, ...init })).remaining);
    }
    expect(left).toEqual([119, 118, 117, 116, 115, 114]);
  });

  test('spends what another key of its organization does not have to', async () => {
    const organizationId = await createOrganization();
    const [busy, idle] = [await createKey(organizationId), await createKey(organizationId)];
    await useUp(busy);
    expect((await listEvents(busy)).status).toBe(429);
    const served = await listEvents(idle);
    expect(served.status).toBe(200);
    expect(fieldsOf(served).remaining).toBe(119);
  });

  test('is counted over all instances of the API together', async () => {
    const key = await createKey(await createOrganization());
    await useUp(key, startApp().request);
    await expectError(await listEvents(key, startApp().request), 429, 'RATE_LIMITED');
  });

  test('that is refused keeps being refused without being counted on', async () => {
    const key = await createKey(await createOrganization());
    await useUp(key);
    for (let sent = 0; sent < 30; sent++) await listEvents(key);
    // Half a minute into the next window, half of the 120 still weigh; more if refusals counted.
    setClock(WINDOW_MS + WINDOW_MS / 2);
    expect(fieldsOf(await listEvents(key, startApp().request)).remaining).toBe(59);
  });

  test('that nobody has gets 401 however often it is sent', async () => {
    const key = generateApiKey();
    await useUp(key);
    for (let sent = 0; sent < 3; sent++) {
      await expectError(await listEvents(key), 401, 'UNAUTHORIZED');
    }
  });
});

describe('Retry-After', () => {
  const silent: Log = { info: () => {}, error: () => {} };
  const limiterOfIsolate = () => createRateLimiter(testConfig, silent);

  test.each([0, 1, 999, 1_000, 30_500, 58_999, 59_000, 59_001, 59_999])(
    'is when a retry is admitted and not much later (refused %i ms into the minute)',
    async (refusedAt) => {
      const keyHash = crypto.randomUUID();
      const limiter = limiterOfIsolate();
      setClock(refusedAt);
      await Promise.all(Array.from({ length: REQUESTS_PER_WINDOW }, () => limiter.take(keyHash)));
      const { admitted, resetSeconds } = await limiter.take(keyHash);
      expect(admitted).toBe(false);
      expect(Number.isInteger(resetSeconds)).toBe(true);
      expect(resetSeconds).toBeGreaterThanOrEqual(1);

      const known = limiter.refusal(keyHash);
      expect(known).toEqual({ admitted: false, remaining: 0, resetSeconds });

      setClock(WINDOW_MS - 1);
      expect(limiter.refusal(keyHash)?.admitted).toBe(false);
      expect((await limiterOfIsolate().take(keyHash)).admitted).toBe(false);

      const retryAt = refusedAt + resetSeconds * 1_000;
      expect(retryAt).toBeLessThanOrEqual(WINDOW_MS + 1_000);
      setClock(retryAt);
      expect(limiter.refusal(keyHash)).toBeUndefined();
      expect((await limiter.take(keyHash)).admitted).toBe(true);
    },
  );

  test('counts down while a key is known to be over its limit', async () => {
    const key = await createKey(await createOrganization());
    await useUp(key);
    const told: (string | null)[] = [];
    for (const ms of [0, 10_000, 59_500]) {
      setClock(ms);
      told.push((await listEvents(key)).headers.get('Retry-After'));
    }
    expect(told).toEqual(['61', '51', '1']);
  });
});

test('RateLimit and RateLimit-Policy are on every public answer', async () => {
  const { key, organizationId, path } = await createRace();
  const narrow = await createKey(organizationId, { scopes: ['payments:read'] });
  const over = await createKey(organizationId);
  await useUp(over);
  const answers = await Promise.all([
    request(path, { headers: withKey(key) }),
    request(`${path}/participants?page=0`, { headers: withKey(key) }),
    request(path),
    request(path, { headers: withKey('er_live_short') }),
    request(path, { headers: withKey(generateApiKey()) }),
    request(path, { headers: withKey(narrow) }),
    request(`/public/v1/events/${organizationId}`, { headers: withKey(key) }),
    request('/public/v1/nothing'),
    request(path, { method: 'PUT' }),
    request(path, { headers: withKey(over) }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([
    200, 400, 401, 401, 401, 403, 404, 404, 404, 429,
  ]);
  for (const answer of answers) {
    const { remaining, reset, policy } = fieldsOf(answer);
    expect(policy).toBe('"per-key";q=120;w=60');
    expect(remaining).toBeGreaterThanOrEqual(0);
    expect(remaining).toBeLessThanOrEqual(120);
    expect(reset).toBeGreaterThanOrEqual(1);
  }
});

describe('without Redis', () => {
  /** Served in little more than the budget, in full, and said in the log. */
  async function expectServed(config: typeof testConfig, withinMs: number): Promise<void> {
    vi.useRealTimers();
    const { key, eventId } = await createRace();
    const app = startApp(config);
    const startedAt = performance.now();
    const response = await listEvents(key, app.request);
    expect(performance.now() - startedAt).toBeLessThan(withinMs);
    expect(await response.json()).toMatchObject({ data: [{ id: eventId }] });
    expect(fieldsOf(response).remaining).toBe(120);
    expect(app.logged.filter(({ level }) => level === 'error')).toHaveLength(1);
  }

  test('a request is served when nobody listens', () =>
    expectServed(withoutServices(testConfig, 'redis'), 1_000));

  test('a request waits no longer than a second', async () => {
    const config = await injectFault(testConfig, 'redis', { kind: 'delay', ms: 4_000 });
    await expectServed(config, 2_000);
  });

  test.each(['refuse', 'tear-before', 'tear-after', 'garbage'] as const)(
    'a request is served when the connection fails (%s)',
    async (kind) => expectServed(await injectFault(testConfig, 'redis', { kind }), 1_000),
  );

  test('a key stays unknown and a scope stays missing', async () => {
    const { request: ask } = startApp(withoutServices(testConfig, 'redis'));
    await expectError(await listEvents(generateApiKey(), ask), 401, 'UNAUTHORIZED');
    const narrow = await createKey(await createOrganization(), { scopes: ['payments:read'] });
    await expectError(await listEvents(narrow, ask), 403, 'INSUFFICIENT_SCOPE');
  });

  test('a key is counted again once Redis is back', async () => {
    const key = await createKey(await createOrganization());
    const config = await injectFault(testConfig, 'redis', { kind: 'refuse', times: 1 });
    const { request: ask } = startApp(config);
    expect(fieldsOf(await listEvents(key, ask)).remaining).toBe(120);
    expect(fieldsOf(await listEvents(key, ask)).remaining).toBe(119);
  });
});
