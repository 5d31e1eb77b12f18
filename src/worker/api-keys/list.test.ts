import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createKey } from '../../testing/factories.ts';
import { startApp, withKey } from '../../testing/harness.ts';
import { type Club, createClub, createMember, makeKey } from '../../testing/members.ts';
import { hashApiKey } from '../auth/api-key/api-key.ts';
import type { ApiKeyRecord } from './answer-schemas.ts';

const { request, logged } = startApp();

type Page = {
  data: ApiKeyRecord[];
  meta: { page: number; page_size: number; total: number; total_pages: number };
};

async function list({ path, owner }: Pick<Club, 'path' | 'owner'>, query = ''): Promise<Page> {
  const response = await request(path + query, { headers: owner.headers });
  expect(response.status).toBe(200);
  return response.json<Page>();
}

describe('listApiKeys', () => {
  test('shows every field of a key, also of revoked and expired keys', async () => {
    const club = await createClub();
    const at = (day: number) => new Date(Date.UTC(2026, 0, day, 12, 0, 0, 250));
    await createKey(club.organizationId, {
      name: 'First',
      key_prefix: 'er_live_aaaa',
      scopes: ['stats:read', 'events:read'],
      created_at: at(1),
      last_used_at: at(4),
      expires_at: at(5),
    });
    await createKey(club.organizationId, {
      name: 'Second',
      key_prefix: 'er_live_bbbb',
      scopes: ['results:write'],
      created_at: at(2),
      revoked_at: at(3),
    });
    const { data, meta } = await list(club);
    const [second, first] = data.map(({ id, ...rest }) => rest);
    expect(first).toEqual({
      name: 'First',
      event_id: null,
      key_prefix: 'er_live_aaaa',
      scopes: ['stats:read', 'events:read'],
      last_used_at: '2026-01-04T12:00:00.250Z',
      is_active: true,
      expires_at: '2026-01-05T12:00:00.250Z',
      revoked_at: null,
      created_at: '2026-01-01T12:00:00.250Z',
      created_by: null,
    });
    expect(second).toEqual({
      name: 'Second',
      event_id: null,
      key_prefix: 'er_live_bbbb',
      scopes: ['results:write'],
      last_used_at: null,
      is_active: false,
      expires_at: null,
      revoked_at: '2026-01-03T12:00:00.250Z',
      created_at: '2026-01-02T12:00:00.250Z',
      created_by: null,
    });
    expect(meta).toEqual({ page: 1, page_size: 20, total: 2, total_pages: 1 });
  });

  test('never shows a key or its hash', async () => {
    const club = await createClub();
    const { id, api_key } = await makeKey(club);
    const response = await request(club.path, { headers: club.owner.headers });
    const text = await response.text();
    expect(text).toContain(id);
    for (const secret of [api_key.slice(12), hashApiKey(api_key), 'hash', '"api_key"']) {
      expect(text).not.toContain(secret);
    }
  });

  test('shows who created a key, also after another user rotated it', async () => {
    const club = await createClub();
    const { id } = await makeKey(club);
    const admin = await createMember(club.organizationId, 'admin');
    const rotated = await request(`${club.path}/${id}/rotate`, {
      method: 'POST',
      headers: admin.headers,
    });
    expect(await rotated.json()).toMatchObject({ created_by: club.owner.userId });
    expect((await list(club)).data).toMatchObject([{ id, created_by: club.owner.userId }]);
  });

  test('shows when a key was used last', async () => {
    const club = await createClub();
    const { api_key } = await makeKey(club);
    expect((await list(club)).data[0]?.last_used_at).toBeNull();
    await request('/public/v1/events', { headers: withKey(api_key) });
    const usedAt = (await list(club)).data[0]?.last_used_at ?? '';
    expect(Math.abs(Date.parse(usedAt) - Date.now())).toBeLessThan(60_000);
  });

  test('sorts by creation, newest first, then by id, across pages', async () => {
    const club = await createClub();
    const tie = new Date('2026-05-01T08:00:00Z');
    const tied = Array.from({ length: 5 }, () => crypto.randomUUID());
    for (const id of tied) await createKey(club.organizationId, { id, created_at: tie });
    const oldest = crypto.randomUUID();
    const newest = crypto.randomUUID();
    await createKey(club.organizationId, { id: oldest, created_at: new Date('2025-01-01') });
    await createKey(club.organizationId, { id: newest, created_at: new Date('2026-06-01') });
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { data, meta } = await list(club, `?page=${page}&page_size=2`);
      expect(meta).toEqual({ page, page_size: 2, total: 7, total_pages: 4 });
      seen.push(...data.map(({ id }) => id));
    }
    expect(seen).toEqual([newest, ...tied.sort(), oldest]);
  });

  test('answers 20 keys by default and an empty page past the end', async () => {
    const club = await createClub();
    for (let made = 0; made < 21; made++) await createKey(club.organizationId);
    expect((await list(club)).data).toHaveLength(20);
    expect((await list(club, '?page=2')).data).toHaveLength(1);
    expect((await list(club, '?page_size=100')).data).toHaveLength(21);
    expect(await list(club, '?page=3')).toEqual({
      data: [],
      meta: { page: 3, page_size: 20, total: 21, total_pages: 2 },
    });
  });

  test.each(['page=0', 'page=x', 'page_size=0', 'page_size=101', 'page=1&page=2'])(
    'refuses %s and names the parameter',
    async (query) => {
      const { path, owner } = await createClub();
      const response = await request(`${path}?${query}`, { headers: owner.headers });
      const detail = await expectError(response, 400, 'VALIDATION_ERROR');
      expect(detail).toMatch(/^page(_size)?: expected a whole number from 1/);
    },
  );

  test('never shows keys of another organization', async () => {
    const [own, foreign] = await Promise.all([createClub(), createClub()]);
    const [{ id }] = await Promise.all([makeKey(own), makeKey(foreign)]);
    for (const query of ['', `?organization_id=${foreign.organizationId}`]) {
      const { data, meta } = await list(own, query);
      expect(data.map((key) => key.id)).toEqual([id]);
      expect(meta.total).toBe(1);
    }
  });

  test('takes one trip, and logs who asked and no key', async () => {
    const club = await createClub();
    await makeKey(club);
    // From then on the isolate knows the session.
    await list(club);
    const before = logged.length;
    await list(club);
    expect(logged.slice(before)).toEqual([
      {
        level: 'info',
        request_id: expect.any(String),
        method: 'GET',
        route: '/api/v1/organizations/:organization_id/api-keys',
        operation: 'listApiKeys',
        status: 200,
        ms: expect.any(Number),
        organization_id: club.organizationId,
        user_id: club.owner.userId,
        postgres_ms: expect.any(Number),
        redis_ms: expect.any(Number),
        trips: 1,
        rows: 1,
      },
    ]);
  });
});
