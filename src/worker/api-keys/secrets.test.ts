import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createKey, db } from '../../testing/factories.ts';
import { startApp, withKey } from '../../testing/harness.ts';
import { type Club, createClub, makeKey } from '../../testing/members.ts';
import { hashApiKey, isWellFormedApiKey } from '../auth/api-key/api-key.ts';
import { apiKeyEvents, apiKeys } from '../db/schema.ts';
import { RotatedApiKey } from './answer-schemas.ts';

const { request, logged } = startApp();

const rotate = ({ path, owner }: Pick<Club, 'path' | 'owner'>, keyId: string) =>
  request(`${path}/${keyId}/rotate`, { method: 'POST', headers: owner.headers });

const revoke = ({ path, owner }: Pick<Club, 'path' | 'owner'>, keyId: string) =>
  request(`${path}/${keyId}`, { method: 'DELETE', headers: owner.headers });

async function rotated(response: Response): Promise<RotatedApiKey> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return RotatedApiKey.strict().parse(JSON.parse(text));
}

const statusOf = async (key: string, ask = request) =>
  (await ask('/public/v1/events', { headers: withKey(key) })).status;

async function rowOf(keyId: string) {
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, keyId));
  if (!row) throw new Error('The key is gone.');
  return row;
}

async function eventsOf(keyId: string) {
  const ofKey = eq(apiKeyEvents.api_key_id, keyId);
  const rows = await db.select().from(apiKeyEvents).where(ofKey).orderBy(apiKeyEvents.occurred_at);
  return rows.map(({ kind }) => kind);
}

describe('rotateApiKey', () => {
  test('replaces the secret and nothing else', async () => {
    const club = await createClub();
    const { message, ...before } = await makeKey(club, ['events:read', 'stats:read']);
    const response = await rotate(club, before.id);
    expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    const after = await rotated(response);
    expect(isWellFormedApiKey(after.api_key)).toBe(true);
    expect(after.api_key).not.toBe(before.api_key);
    expect(after).toEqual({
      ...before,
      api_key: after.api_key,
      key_prefix: after.api_key.slice(0, 12),
    });
    expect(await rowOf(before.id)).toMatchObject({
      key_hash: hashApiKey(after.api_key),
      key_prefix: after.key_prefix,
    });
  });

  test('stops the old secret and starts the new one at once', async () => {
    const club = await createClub();
    const before = await makeKey(club);
    expect(await statusOf(before.api_key)).toBe(200);
    const after = await rotated(await rotate(club, before.id));
    expect([await statusOf(before.api_key), await statusOf(after.api_key)]).toEqual([401, 200]);
    const last = await rotated(await rotate(club, before.id));
    expect([
      await statusOf(before.api_key),
      await statusOf(after.api_key),
      await statusOf(last.api_key),
    ]).toEqual([401, 401, 200]);
  });

  test('refuses to rotate a revoked key', async () => {
    const club = await createClub();
    const { id, api_key } = await makeKey(club);
    await revoke(club, id);
    const before = await rowOf(id);
    const detail = await expectError(await rotate(club, id), 400, 'VALIDATION_ERROR');
    expect(detail).toContain('revoked');
    expect(await rowOf(id)).toEqual(before);
    expect(await eventsOf(id)).toEqual(['created', 'revoked']);
    expect(await statusOf(api_key)).toBe(401);
  });

  test('refuses to rotate an expired key', async () => {
    const club = await createClub();
    const id = crypto.randomUUID();
    const expires_at = new Date(Date.now() - 60_000);
    await createKey(club.organizationId, { id, expires_at });
    const before = await rowOf(id);
    const detail = await expectError(await rotate(club, id), 400, 'VALIDATION_ERROR');
    expect(detail).toContain('expired');
    expect(await rowOf(id)).toEqual(before);
    expect(await eventsOf(id)).toEqual([]);
  });

  test('leaves one working secret after concurrent rotations', async () => {
    const club = await createClub();
    const { id, api_key } = await makeKey(club);
    const responses = await Promise.all(Array.from({ length: 6 }, () => rotate(club, id)));
    const keys = await Promise.all(responses.map(async (each) => (await rotated(each)).api_key));
    const statuses = await Promise.all([api_key, ...keys].map((key) => statusOf(key)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect((await eventsOf(id)).filter((kind) => kind === 'rotated')).toHaveLength(6);
  });

  test('takes one trip and logs no key', async () => {
    const club = await createClub();
    const { id } = await makeKey(club);
    // From then on the isolate knows the session.
    await rotate(club, id);
    const before = logged.length;
    const { api_key, key_prefix } = await rotated(await rotate(club, id));
    const lines = logged.slice(before);
    expect(lines).toMatchObject([{ status: 200, trips: 1 }]);
    const written = JSON.stringify(lines);
    for (const kept of [api_key, key_prefix, id]) {
      expect(written).not.toContain(kept);
    }
  });
});

describe('revokeApiKey', () => {
  test('stops the key at once and for good', async () => {
    const club = await createClub();
    const { id, api_key } = await makeKey(club);
    expect(await statusOf(api_key)).toBe(200);
    const response = await revoke(club, id);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(await statusOf(api_key)).toBe(401);
    const { revoked_at } = await rowOf(id);
    expect(Math.abs((revoked_at?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  test('answers 204 again for a revoked key and changes nothing', async () => {
    const club = await createClub();
    const { id } = await makeKey(club);
    await revoke(club, id);
    const before = await rowOf(id);
    expect((await revoke(club, id)).status).toBe(204);
    expect(await rowOf(id)).toEqual(before);
    expect(await eventsOf(id)).toEqual(['created', 'revoked']);
  });

  test('records concurrent revocations once', async () => {
    const club = await createClub();
    const { id } = await makeKey(club);
    const responses = await Promise.all(Array.from({ length: 6 }, () => revoke(club, id)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(204));
    expect(await eventsOf(id)).toEqual(['created', 'revoked']);
  });

  test('wins over concurrent rotations', async () => {
    const club = await createClub();
    const { id, api_key } = await makeKey(club);
    const [, ...rotations] = await Promise.all([
      revoke(club, id),
      ...Array.from({ length: 4 }, () => rotate(club, id)),
    ]);
    const keys = [api_key];
    for (const response of rotations) {
      if (response.status === 200) keys.push((await rotated(response)).api_key);
      else await expectError(response, 400, 'VALIDATION_ERROR');
    }
    for (const key of keys) expect(await statusOf(key)).toBe(401);
    expect((await rowOf(id)).revoked_at).not.toBeNull();
  });

  test('leaves other keys of the organization unchanged', async () => {
    const club = await createClub();
    const [one, two] = await Promise.all([makeKey(club), makeKey(club)]);
    await revoke(club, one.id);
    expect([await statusOf(one.api_key), await statusOf(two.api_key)]).toEqual([401, 200]);
  });
});

describe('a key under concurrent requests', () => {
  type Served = { key: string; afterAnswer: boolean; status: number };

  /**
   * Clients that each send request after request, each through a separate application, from before the change until
   * each has sent some requests after the answer.
   * @param change gives the key in force after the answer, if any
   */
  async function hammer(key: string, change: () => Promise<string | undefined>) {
    const served: Served[] = [];
    let inForce: string | undefined;
    let isAnswered = false;

    async function client() {
      const { request: ask } = startApp();
      for (let left = 10; left > 0; ) {
        const afterAnswer = isAnswered;
        if (afterAnswer) left -= 1;
        for (const each of afterAnswer && inForce ? [key, inForce] : [key]) {
          served.push({ key: each, afterAnswer, status: await statusOf(each, ask) });
        }
      }
    }
    const clients = Array.from({ length: 6 }, client);
    while (served.length < 30) await new Promise((resolve) => setTimeout(resolve, 5));
    inForce = await change();
    isAnswered = true;
    await Promise.all(clients);
    return served;
  }

  const statuses = (served: Served[], key: string | undefined, afterAnswer: boolean) => [
    ...new Set(
      served
        .filter((each) => each.key === key && each.afterAnswer === afterAnswer)
        .map(({ status }) => status),
    ),
  ];

  test('refuses every request sent after the answer to its revocation', async () => {
    const club = await createClub();
    const { id, api_key } = await makeKey(club);
    const served = await hammer(api_key, async () => {
      expect((await revoke(club, id)).status).toBe(204);
      return undefined;
    });
    expect(statuses(served, api_key, false)).toContain(200);
    expect(statuses(served, api_key, true)).toEqual([401]);
  });

  test('refuses the old secret and accepts the new one after a rotation', async () => {
    const club = await createClub();
    const { id, api_key } = await makeKey(club);
    let renewed: string | undefined;
    const served = await hammer(api_key, async () => {
      renewed = (await rotated(await rotate(club, id))).api_key;
      return renewed;
    });
    expect(statuses(served, api_key, false)).toContain(200);
    expect(statuses(served, api_key, true)).toEqual([401]);
    expect(statuses(served, renewed, true)).toEqual([200]);
  });
});
