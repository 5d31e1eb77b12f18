import { asc, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { db } from '../../testing/factories.ts';
import { startApp, testConfig } from '../../testing/harness.ts';
import { type Club, createClub, createMember, makeKey } from '../../testing/members.ts';
import type { MemberValues } from '../auth/panel/queries.ts';
import { connect, transact } from '../db/client.ts';
import { apiKeyEvents, apiKeys, organizations } from '../db/schema.ts';
import { RotatedApiKey } from './answer-schemas.ts';
import { createApiKey, revokeApiKey, rotateApiKey } from './queries.ts';
import type { ApiKeyIn } from './schemas.ts';

const { request } = startApp();

const ask = (club: Club, method: string, rest: string, headers = club.owner.headers) =>
  request(club.path + rest, { method, headers });

const historyOf = ({ organizationId }: Club) =>
  db
    .select()
    .from(apiKeyEvents)
    .where(eq(apiKeyEvents.organization_id, organizationId))
    .orderBy(asc(apiKeyEvents.occurred_at));

describe('the history of keys', () => {
  test('records actor, kind, key and time of each change once', async () => {
    const club = await createClub();
    const admin = await createMember(club.organizationId, 'admin');
    const made = await makeKey(club);
    const response = await ask(club, 'POST', `/${made.id}/rotate`, admin.headers);
    const renewed = RotatedApiKey.parse(await response.json());
    await ask(club, 'DELETE', `/${made.id}`, admin.headers);
    await ask(club, 'DELETE', `/${made.id}`);
    await ask(club, 'POST', `/${made.id}/rotate`);

    const history = await historyOf(club);
    const of = { organization_id: club.organizationId, api_key_id: made.id, event_id: null };
    expect(history.map(({ id, occurred_at, ...event }) => event)).toEqual([
      { ...of, kind: 'created', key_prefix: made.key_prefix, actor: club.owner.userId },
      { ...of, kind: 'rotated', key_prefix: renewed.key_prefix, actor: admin.userId },
      { ...of, kind: 'revoked', key_prefix: renewed.key_prefix, actor: admin.userId },
    ]);
    const [key] = await db.select().from(apiKeys).where(eq(apiKeys.id, made.id));
    expect(history[0]?.occurred_at).toEqual(key?.created_at);
    expect(history[2]?.occurred_at).toEqual(key?.revoked_at);
  });

  test('lists the entries of one key, newest first, page by page', async () => {
    const club = await createClub();
    const made = await makeKey(club);
    await makeKey(club);
    const admin = await createMember(club.organizationId, 'admin');
    const rotated = await ask(club, 'POST', `/${made.id}/rotate`, admin.headers);
    const { key_prefix } = RotatedApiKey.parse(await rotated.json());
    const list = async (query = '') => {
      const response = await ask(club, 'GET', `/${made.id}/events${query}`);
      expect(response.status).toBe(200);
      return response.json();
    };
    const at = { occurred_at: expect.stringMatching(/^\d{4}-.*Z$/) };
    const created = {
      kind: 'created',
      event_id: null,
      key_prefix: made.key_prefix,
      actor: club.owner.userId,
      ...at,
    };
    expect(await list()).toEqual({
      data: [{ kind: 'rotated', event_id: null, key_prefix, actor: admin.userId, ...at }, created],
      meta: { page: 1, page_size: 20, total: 2, total_pages: 1 },
    });
    expect(await list('?page=2&page_size=1')).toEqual({
      data: [created],
      meta: { page: 2, page_size: 1, total: 2, total_pages: 2 },
    });
  });

  test('records no refused change and no read', async () => {
    const club = await createClub();
    const { headers } = await createMember(club.organizationId, 'member');
    const { id } = await makeKey(club);
    await ask(club, 'GET', '');
    for (const [method, rest] of [
      ['POST', `/${id}/rotate`],
      ['DELETE', `/${id}`],
      ['DELETE', `/${crypto.randomUUID()}`],
    ] as const) {
      expect((await ask(club, method, rest, headers)).status).toBe(403);
    }
    expect((await historyOf(club)).map(({ kind }) => kind)).toEqual(['created']);
  });

  test('undoes a change whose history entry fails', async () => {
    const club = await createClub();
    const { id } = await makeKey(club);
    const before = await db.select().from(apiKeys).where(eq(apiKeys.id, id));
    // The history refuses this actor, so the changes fail too.
    const { organizationId } = club;
    const member: MemberValues = { organizationId, userId: ' ' };
    await createMember(organizationId, 'owner', member.userId);
    const key: ApiKeyIn = { name: 'x', scopes: ['events:read'] };
    for (const change of [
      createApiKey(key),
      rotateApiKey({ keyId: id }),
      revokeApiKey({ keyId: id }),
    ]) {
      await expect(transact(connect(testConfig.DATABASE_URL), [change], member)).rejects.toThrow(
        'api_key_events_actor_not_blank',
      );
    }
    const ofClub = eq(apiKeys.organization_id, club.organizationId);
    expect(await db.select().from(apiKeys).where(ofClub)).toEqual(before);
    expect(await historyOf(club)).toHaveLength(1);
  });

  test.each([
    ['updates', sql`update ${apiKeyEvents} set actor = 'somebody else'`],
    ['updates of no row', sql`update ${apiKeyEvents} set actor = 'x' where false`],
    ['deletions', sql`delete from ${apiKeyEvents}`],
    ['truncation', sql`truncate ${apiKeyEvents}`],
    ['truncation by cascade', sql`truncate ${apiKeys} cascade`],
  ])('refuses %s', async (_what, statement) => {
    const club = await createClub();
    await makeKey(club);
    const before = await historyOf(club);
    await expect(db.execute(statement)).rejects.toMatchObject({
      cause: { code: '23001', message: expect.stringContaining('append-only') },
    });
    expect(await historyOf(club)).toEqual(before);
  });

  test('keeps a key with history from deletion', async () => {
    const club = await createClub();
    const { id } = await makeKey(club);
    await expect(db.delete(apiKeys).where(eq(apiKeys.id, id))).rejects.toMatchObject({
      cause: { code: '23001', message: expect.stringContaining('append-only') },
    });
    expect(await historyOf(club)).toHaveLength(1);
  });

  test('goes with its organization, and no other history does', async () => {
    const [club, otherClub] = await Promise.all([createClub(), createClub()]);
    await makeKey(club);
    await makeKey(otherClub);
    await db.delete(organizations).where(eq(organizations.id, club.organizationId));
    expect(await historyOf(club)).toEqual([]);
    expect(await historyOf(otherClub)).toHaveLength(1);
  });

  test('refuses an entry about another organization’s key', async () => {
    const [own, foreign] = await Promise.all([createClub(), createClub()]);
    const { id, key_prefix } = await makeKey(foreign);
    const event = {
      organization_id: own.organizationId,
      api_key_id: id,
      kind: 'revoked' as const,
      key_prefix,
      actor: own.owner.userId,
    };
    await expect(db.insert(apiKeyEvents).values(event)).rejects.toMatchObject({
      cause: { constraint: 'api_key_events_key_of_organization' },
    });
  });
});
