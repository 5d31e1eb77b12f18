import { Redis } from '@upstash/redis';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createEvent } from '../../testing/factories.ts';
import { injectFault } from '../../testing/faults.ts';
import { startLimitedApp, testConfig, withKey } from '../../testing/harness.ts';
import { type Club, createClub, makeKey } from '../../testing/members.ts';
import { hashApiKey } from '../auth/api-key/api-key.ts';
import { consoleLog } from '../log.ts';
import { createRateLimits, REQUESTS_PER_WINDOW } from '../rate-limit/rate-limiter.ts';
import { USES_DAYS } from '../rate-limit/uses.ts';
import { type ApiKeyUses, RotatedApiKey } from './answer-schemas.ts';

const AWAY = { ...testConfig, UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:1' };

/** An isolate that counts. The counts of a key wait for a twentieth of their time. */
function startCounting(config = testConfig) {
  const { uses, keys } = createRateLimits(config, consoleLog, 50);
  return startLimitedApp(config, { uses, rateLimiter: keys });
}

/** The days of a key, as another isolate reads them. */
async function usesOf(club: Club, keyId: string, { request } = startLimitedApp()) {
  const response = await request(`${club.path}/${keyId}/uses`, { headers: club.owner.headers });
  expect(response.status).toBe(200);
  return (await response.json<ApiKeyUses>()).days;
}

const NOTHING = { requests: 0, personal_reads: 0, refusals: {} };

describe('the uses of a key', () => {
  test('count requests, refusals by their code, and reads of personal data, over a rotation', async () => {
    const club = await createClub();
    const made = await makeKey(club, ['events:read', 'participants:read']);
    const event = `/public/v1/events/${await createEvent(club.organizationId)}`;
    const { request } = startCounting();
    const statuses = async (key: string, ...paths: string[]) => {
      const sent: number[] = [];
      for (const path of paths) sent.push((await request(path, { headers: withKey(key) })).status);
      return sent;
    };
    expect(
      await statuses(
        made.api_key,
        event,
        `${event}/participants`,
        `${event}/participants?page=0`,
        `${event}/stats`,
        `/public/v1/events/${club.organizationId}`,
      ),
    ).toEqual([200, 200, 400, 403, 404]);
    const rotated = await request(`${club.path}/${made.id}/rotate`, {
      method: 'POST',
      headers: club.owner.headers,
    });
    const { api_key } = RotatedApiKey.parse(await rotated.json());
    expect(await statuses(api_key, event, `${event}/participants`)).toEqual([200, 200]);
    expect(await statuses(made.api_key, event)).toEqual([401]);

    const [today, ...before] = await usesOf(club, made.id);
    // Other tests share Redis, and mark days with requests that Redis missed.
    expect(today).toEqual({
      day: new Date().toISOString().slice(0, 10),
      requests: 7,
      personal_reads: 2,
      refusals: { VALIDATION_ERROR: 1, INSUFFICIENT_SCOPE: 1, NOT_FOUND: 1 },
      is_complete: expect.any(Boolean),
    });
    expect(before).toHaveLength(USES_DAYS - 1);
    for (const day of before) expect(day).toMatchObject(NOTHING);
  });

  test('count what the limit refused', async () => {
    const club = await createClub();
    const made = await makeKey(club);
    const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = testConfig;
    const redis = new Redis({ url, token, enableAutoPipelining: false });
    // All but two requests of a minute, from another isolate. In a burst of so many requests a busy Redis answers too
    // late: the isolate then counts alone, and the counts of its refusals wait until Redis is back.
    const times = `${Date.now()}000`.repeat(REQUESTS_PER_WINDOW - 2);
    await redis.set(`admitted:${hashApiKey(made.api_key)}`, times, { ex: 60 });
    const { request } = startCounting();
    const statuses: number[] = [];
    for (let sent = 0; sent < 7; sent++) {
      const { status } = await request('/public/v1/events', { headers: withKey(made.api_key) });
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429, 429]);
    const [today] = await usesOf(club, made.id);
    expect(today).toMatchObject({ requests: 7, refusals: { RATE_LIMITED: 5 } });
  });

  test('are those of the own organization alone', async () => {
    const [club, other] = [await createClub(), await createClub()];
    const made = await makeKey(other);
    const { request } = startLimitedApp();
    const asked = request(`${club.path}/${made.id}/uses`, { headers: club.owner.headers });
    await expectError(await asked, 404, 'NOT_FOUND');
  });

  test('are a 503 without Redis', async () => {
    const club = await createClub();
    const made = await makeKey(club);
    const { request } = startLimitedApp(AWAY);
    const asked = request(`${club.path}/${made.id}/uses`, { headers: club.owner.headers });
    await expectError(await asked, 503, 'SERVICE_UNAVAILABLE');
  });

  test('say on which days Redis missed some', async () => {
    const club = await createClub();
    const made = await makeKey(club);
    const { request } = startCounting(
      await injectFault(testConfig, 'redis', { kind: 'refuse', times: 1 }),
    );
    const listEvents = () => request('/public/v1/events', { headers: withKey(made.api_key) });
    expect((await listEvents()).status).toBe(200);
    expect((await listEvents()).status).toBe(200);
    const [today, ...before] = await usesOf(club, made.id);
    expect(today).toMatchObject({ is_complete: false });
    expect(before.at(-1)).toMatchObject({ ...NOTHING, is_complete: true });
  });
});
