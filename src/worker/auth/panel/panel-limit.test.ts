import { Redis } from '@upstash/redis';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { startLimitedApp, testConfig } from '../../../testing/harness.ts';
import {
  createClub,
  createMember,
  removeMember,
  signSession,
  withSession,
} from '../../../testing/members.ts';
import { REQUESTS_PER_ORGANIZATION, REQUESTS_PER_SESSION } from '../../rate-limit/rate-limiter.ts';

const redis = new Redis({
  url: testConfig.UPSTASH_REDIS_REST_URL,
  token: testConfig.UPSTASH_REDIS_REST_TOKEN,
  enableAutoPipelining: false,
});

/** Writes the limiter's keys for so many requests, in a single command. */
const countedBefore = (name: string, requests: number) =>
  redis.set(name, `${Date.now()}000`.repeat(requests), { ex: 60 });

const counted = async (name: string): Promise<number> => (await redis.strlen(name)) / 16;

const organizationWindow = (organizationId: string) => `panel:organization:${organizationId}`;

/** The name of a session's window: a digest of the token's signed part. */
async function sessionWindow({ Authorization = '' }: Record<string, string>): Promise<string> {
  const signed = Authorization.replace(/^Bearer /, '').replace(/\.[^.]*$/, '');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(signed));
  return `panel:session:${Buffer.from(digest).toString('base64url')}`;
}

const { request } = startLimitedApp();

describe('the rate limit of the panel', () => {
  test('admits 600 requests a minute of a session, and writes nothing for the next one', async () => {
    expect(REQUESTS_PER_SESSION).toBe(600);
    const { path, owner, organizationId } = await createClub();
    await countedBefore(await sessionWindow(owner.headers), REQUESTS_PER_SESSION - 1);
    expect((await request(path, { headers: owner.headers })).status).toBe(200);
    const refused = await request(path, {
      method: 'POST',
      headers: { ...owner.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Timing', scopes: ['results:write'] }),
    });
    await expectError(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    const other = await createMember(organizationId, 'admin');
    const keys = await request(path, { headers: other.headers });
    expect(await keys.json()).toMatchObject({ data: [] });
  });

  test('admits 1200 requests a minute of all sessions of an organization', async () => {
    expect(REQUESTS_PER_ORGANIZATION).toBe(1_200);
    const [club, otherClub] = await Promise.all([createClub(), createClub()]);
    const admin = await createMember(club.organizationId, 'admin');
    await countedBefore(organizationWindow(club.organizationId), REQUESTS_PER_ORGANIZATION - 1);
    expect((await request(club.path, { headers: club.owner.headers })).status).toBe(200);
    for (const { headers } of [club.owner, admin]) {
      await expectError(await request(club.path, { headers }), 429, 'RATE_LIMITED');
    }
    expect((await request(otherClub.path, otherClub.owner)).status).toBe(200);
  });

  test('counts a request of a manager once, and one of nobody else for the organization', async () => {
    const { organizationId, path, owner } = await createClub();
    const member = await createMember(organizationId, 'member');
    const stranger = withSession(await signSession({ sub: 'stranger' }));
    for (let sent = 0; sent < 2; sent++) {
      expect((await request(path, { headers: owner.headers })).status).toBe(200);
      expect((await request(path, { headers: member.headers })).status).toBe(403);
      expect((await request(path, { headers: stranger })).status).toBe(404);
    }
    expect(await counted(organizationWindow(organizationId))).toBe(2);
    for (const headers of [owner.headers, member.headers, stranger]) {
      expect(await counted(await sessionWindow(headers))).toBe(2);
    }
  });

  test('counts for the organization no more when the user is removed', async () => {
    const { organizationId, path, owner } = await createClub();
    expect((await request(path, { headers: owner.headers })).status).toBe(200);
    await removeMember(organizationId, owner.userId);
    // The first request finds out.
    for (let sent = 0; sent < 3; sent++) {
      expect((await request(path, { headers: owner.headers })).status).toBe(404);
    }
    expect(await counted(organizationWindow(organizationId))).toBe(2);
  });
});
