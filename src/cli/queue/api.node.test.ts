import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { connect, unlessOffline, waitMs } from './api.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A network in which packets vanish: nothing is refused, and nothing answers. */
const blackHole = (_: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

test.each([
  ['a request', {}, 20_000],
  ['a probe', { timeoutMs: 3_000 }, 3_000],
])('gives up %s into a black hole', async (_, patience, afterMs) => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', blackHole);
  const access = {
    apiUrl: 'http://a',
    apiKey: 'er_live_x',
    onAccepted: async () => {},
  };
  let why: string | undefined;
  const asked = unlessOffline(connect(access, patience).listEvents()).then(([, offline]) => {
    why = offline?.why;
  });
  await vi.advanceTimersByTimeAsync(afterMs - 1_000);
  expect(why).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2_000);
  await asked;
  expect(why).toBe('the API does not answer in time');
});

test('tries again within 1.5 s, but not before Retry-After', () => {
  fc.assert(
    fc.property(fc.nat({ max: 120 }), (asked) => {
      expect(waitMs()).toBeLessThanOrEqual(1_500);
      expect(waitMs(asked)).toBeGreaterThanOrEqual(asked * 1_000);
    }),
  );
});

const answering = (status: number, headers: Record<string, string>, body: string) => async () =>
  new Response(body, { status, headers });

const HTML = { 'Content-Type': 'text/html', 'Retry-After': '3600' };
const JSON_TYPE = { 'Content-Type': 'application/json', 'Retry-After': '30' };
const BODY = JSON.stringify({ code: 'SERVICE_UNAVAILABLE', detail: 'Later.' });

test.each<[string, typeof fetch, number | undefined]>([
  ['a hotspot', answering(503, HTML, '<p>Log in</p>'), undefined],
  ['a proxy that writes as the API does', answering(503, JSON_TYPE, BODY), undefined],
  ['the API', answering(503, { ...JSON_TYPE, 'X-Request-Id': 'r1' }, BODY), 30],
])('waits only for what the API says: %s', async (_, network, seconds) => {
  vi.stubGlobal('fetch', network);
  const access = { apiUrl: 'http://a', apiKey: 'er_live_x', onAccepted: async () => {} };
  const [, offline] = await unlessOffline(connect(access).listEvents());
  expect(offline?.retryAfterSeconds).toBe(seconds);
});

test('N09 N10: says in words why the network fails', async () => {
  vi.stubGlobal('fetch', async () => {
    const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
    throw new TypeError('fetch failed', { cause });
  });
  const access = { apiUrl: 'http://a', apiKey: 'er_live_x', onAccepted: async () => {} };
  const [, offline] = await unlessOffline(connect(access).listEvents());
  expect(offline?.why).toBe('the API cannot be reached: the connection broke');
});
