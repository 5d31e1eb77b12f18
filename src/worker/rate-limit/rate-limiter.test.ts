import { Redis } from '@upstash/redis';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createKey, createOrganization, createRace, db } from '../../testing/factories.ts';
import { injectFault, withoutServices } from '../../testing/faults.ts';
import { startLimitedApp, type TestApp, testConfig, withKey } from '../../testing/harness.ts';
import { shortenWait } from '../../testing/short-waits.ts';
import { generateApiKey, hashApiKey } from '../auth/api-key/api-key.ts';
import { apiKeys } from '../db/schema.ts';
import { REQUESTS_PER_WINDOW } from './rate-limiter.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const { request } = startLimitedApp();

const listEvents = (key: string, ask = request) =>
  ask('/public/v1/events', { headers: withKey(key) });

const redis = new Redis({
  url: testConfig.UPSTASH_REDIS_REST_URL,
  token: testConfig.UPSTASH_REDIS_REST_TOKEN,
  enableAutoPipelining: false,
});

/** Writes the limiter's keys for a minute's requests, in a single command. @param left how many more are admitted */
async function useUp(key: string, left = 0): Promise<void> {
  const times = `${Date.now()}000`.repeat(REQUESTS_PER_WINDOW - left);
  await redis.set(`admitted:${hashApiKey(key)}`, times, { ex: 60 });
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

describe('the rate limit of a key', () => {
  test('admits 120 requests a minute and refuses the next one', async () => {
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

  test('reports the requests left and when the oldest stops counting', async () => {
    const key = await createKey(await createOrganization());
    for (const remaining of [119, 118, 117]) {
      const fields = fieldsOf(await listEvents(key));
      expect(fields).toMatchObject({ remaining, policy: '"per-key";q=120;w=60' });
      expect(fields.reset).toBeGreaterThan(40);
      expect(fields.reset).toBeLessThanOrEqual(60);
    }
  });

  test('counts each operation once, whatever its outcome and trips', async () => {
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

  test('counts each key of an organization separately', async () => {
    const organizationId = await createOrganization();
    const [busy, idle] = [await createKey(organizationId), await createKey(organizationId)];
    await useUp(busy);
    expect((await listEvents(busy)).status).toBe(429);
    const served = await listEvents(idle);
    expect(served.status).toBe(200);
    expect(fieldsOf(served).remaining).toBe(119);
  });

  test('counts over all instances of the API', async () => {
    const key = await createKey(await createOrganization());
    const isolates = [startLimitedApp(), startLimitedApp(), startLimitedApp()];
    await useUp(key, 20);
    const sent = Array.from({ length: 20 }, (_, index) =>
      listEvents(key, isolates[index % 2]?.request),
    );
    for (const answer of await Promise.all(sent)) expect(answer.status).toBe(200);
    await expectError(await listEvents(key, isolates[2]?.request), 429, 'RATE_LIMITED');
  });

  test('takes no trip for a second after a refusal', async () => {
    const key = await createKey(await createOrganization());
    const app = startLimitedApp();
    await useUp(key);
    const trips: unknown[] = [];
    // The first request makes the trip: the isolate does not know yet that the key is over its limit.
    for (const afterMs of [0, 0, 900, 1_100]) {
      vi.setSystemTime(Date.now() + afterMs);
      app.logged.length = 0;
      await expectError(await listEvents(key, app.request), 429, 'RATE_LIMITED');
      trips.push(app.logged[0]?.['trips']);
    }
    expect(trips).toEqual([1, 0, 0, 1]);
  });

  const secret = () => hashApiKey(generateApiKey());
  test.each([
    ['revoked', async () => ({ revoked_at: new Date() })],
    ['rotated', async () => ({ key_hash: secret() })],
  ])('answers 401 within a second if a refused key is %s', async (_how, change) => {
    const { request: ask } = startLimitedApp();
    const key = await createKey(await createOrganization());
    await useUp(key);
    for (let sent = 0; sent < 2; sent++) expect((await listEvents(key, ask)).status).toBe(429);
    await db
      .update(apiKeys)
      .set(await change())
      .where(eq(apiKeys.key_hash, hashApiKey(key)));
    vi.setSystemTime(Date.now() + 1_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => listEvents(key, ask)));
    answers.push(await listEvents(key, ask));
    for (const answer of answers) await expectError(answer, 401, 'UNAUTHORIZED');
  });

  test('answers 401 to an unknown key, however often it is sent', async () => {
    const key = generateApiKey();
    await useUp(key, 1);
    for (let sent = 0; sent < 3; sent++) {
      await expectError(await listEvents(key), 401, 'UNAUTHORIZED');
    }
  });
});

test('sends RateLimit and RateLimit-Policy with every public answer', async () => {
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

describe('the rate limit without Redis', () => {
  const lines = (app: TestApp) => app.logged.filter(({ method }) => method === undefined);

  /** Sends requests in turn, and returns the duration of each by its log line. */
  async function expectServed(config: typeof testConfig, requests: number): Promise<number[]> {
    const { key, eventId } = await createRace();
    const app = startLimitedApp(config);
    for (let sent = 0; sent < requests; sent++) {
      const response = await listEvents(key, app.request);
      expect(await response.json()).toMatchObject({ data: [{ id: eventId }] });
      expect(fieldsOf(response).remaining).toBe(REQUESTS_PER_WINDOW - sent - 1);
    }
    expect(lines(app)).toEqual([
      expect.objectContaining({
        level: 'error',
        message: 'Each isolate enforces the rate limit alone: Redis is unavailable.',
      }),
    ]);
    return app.logged.flatMap(({ method, ms }) => (method === undefined ? [] : Number(ms)));
  }

  test('serves requests if Redis is unreachable, and logs one line', () =>
    expectServed(withoutServices(testConfig, 'redis'), 10));

  test('delays three requests by a second and no others', async () => {
    const config = await injectFault(testConfig, 'redis', { kind: 'delay', ms: 600 });
    shortenWait(1_000, 150);
    const times = await expectServed(config, 5);
    expect(times.map((ms) => ms >= 150)).toEqual([true, true, true, false, false]);
    for (const ms of times) expect(ms).toBeLessThan(600);
  });

  test.each(['refuse', 'tear-before', 'tear-after', 'garbage'] as const)(
    'serves requests if the connection fails (%s)',
    async (kind) => void (await expectServed(await injectFault(testConfig, 'redis', { kind }), 4)),
  );

  test('admits 120 of 200 requests at once', async () => {
    const key = await createKey(await createOrganization());
    const { request: ask } = startLimitedApp(withoutServices(testConfig, 'redis'));
    const answers = await Promise.all(Array.from({ length: 200 }, () => listEvents(key, ask)));
    const served = answers.filter(({ status }) => status === 200);
    expect(served).toHaveLength(REQUESTS_PER_WINDOW);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
  });

  test('keeps a verdict that comes late', async () => {
    const key = await createKey(await createOrganization());
    await useUp(key);
    const config = await injectFault(testConfig, 'redis', { kind: 'delay', ms: 300, times: 1 });
    shortenWait(1_000, 100);
    const app = startLimitedApp(config);
    // The harness waits for work beyond the request.
    expect((await listEvents(key, app.request)).status).toBe(200);
    await expectError(await listEvents(key, app.request), 429, 'RATE_LIMITED');
  });

  test('refuses an unknown key and a missing scope', async () => {
    const { request: ask } = startLimitedApp(withoutServices(testConfig, 'redis'));
    await expectError(await listEvents(generateApiKey(), ask), 401, 'UNAUTHORIZED');
    const narrow = await createKey(await createOrganization(), { scopes: ['payments:read'] });
    await expectError(await listEvents(narrow, ask), 403, 'INSUFFICIENT_SCOPE');
  });

  test('counts by Redis again once it is back, and logs how many were not counted', async () => {
    const key = await createKey(await createOrganization());
    const config = await injectFault(testConfig, 'redis', { kind: 'refuse', times: 3 });
    const app = startLimitedApp(config);
    for (let sent = 0; sent < 5; sent++) await listEvents(key, app.request);
    vi.setSystemTime(Date.now() + 1_000);
    await listEvents(key, app.request);
    expect(lines(app)).toEqual([
      expect.objectContaining({ level: 'error' }),
      { level: 'info', message: 'The rate limit is enforced again.', uncounted: 5 },
    ]);
    // Redis counted the last request and this request.
    expect(fieldsOf(await listEvents(key, app.request)).remaining).toBe(118);
  });
});
