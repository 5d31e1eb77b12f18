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

test('tries again within 3 s, but not before Retry-After', () => {
  fc.assert(
    fc.property(fc.nat({ max: 120 }), (asked) => {
      expect(waitMs()).toBeLessThanOrEqual(3_000);
      expect(waitMs(asked)).toBeGreaterThanOrEqual(asked * 1_000);
    }),
  );
});
