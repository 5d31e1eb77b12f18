import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createEvent, db } from '../../testing/factories.ts';
import { request, withKey } from '../../testing/harness.ts';
import { type Club, createClub, makeKey } from '../../testing/members.ts';
import { apiKeyEvents, apiKeys, events } from '../db/schema.ts';
import { type ApiKeyEvent, ApiKeyRecord, CreatedApiKey, RotatedApiKey } from './answer-schemas.ts';

const ask = ({ path, owner }: Club, method: string, rest = '', body?: object) =>
  request(path + rest, {
    method,
    headers: { ...owner.headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

const keyFor = (event_id: unknown) => ({ name: 'Km 10', scopes: ['events:read'], event_id });

async function createClubWithKey() {
  const club = await createClub();
  const eventId = await createEvent(club.organizationId);
  const response = await ask(club, 'POST', '', keyFor(eventId));
  expect(response.status).toBe(201);
  return { club, eventId, made: CreatedApiKey.strict().parse(await response.json()) };
}

const eventsFor = async (key: string) =>
  await (await request('/public/v1/events', { headers: withKey(key) })).json<{
    data: { id: string }[];
    meta: { total: number };
  }>();

describe('a key for one event', () => {
  test('lists this event alone', async () => {
    const { club, eventId, made } = await createClubWithKey();
    await createEvent(club.organizationId);
    const { data, meta } = await eventsFor(made.api_key);
    expect([data.map(({ id }) => id), meta.total]).toEqual([[eventId], 1]);
    const whole = await makeKey(club);
    expect(whole.event_id).toBeNull();
    expect((await eventsFor(whole.api_key)).meta.total).toBe(2);
  });

  test('keeps its event when it is rotated and renamed, and says it in its history', async () => {
    const { club, eventId, made } = await createClubWithKey();
    expect(made.event_id).toBe(eventId);
    const rotated = await (await ask(club, 'POST', `/${made.id}/rotate`)).json();
    expect(RotatedApiKey.strict().parse(rotated).event_id).toBe(eventId);
    const renamed = await (await ask(club, 'PATCH', `/${made.id}`, { name: 'Km 15' })).json();
    expect(ApiKeyRecord.strict().parse(renamed).event_id).toBe(eventId);
    const history = await (await ask(club, 'GET', `/${made.id}/events`)).json<{
      data: ApiKeyEvent[];
    }>();
    expect(history.data.map(({ kind, event_id }) => [kind, event_id])).toEqual([
      ['renamed', eventId],
      ['rotated', eventId],
      ['created', eventId],
    ]);
    expect((await eventsFor(RotatedApiKey.parse(rotated).api_key)).meta.total).toBe(1);
  });

  test('is not created for an event of another organization, or for something else', async () => {
    const [club, other] = await Promise.all([createClub(), createClub()]);
    const foreign = await createEvent(other.organizationId);
    for (const wrong of [foreign, crypto.randomUUID(), 'x', '', 17]) {
      const refused = await ask(club, 'POST', '', keyFor(wrong));
      expect(await expectError(refused, 400, 'VALIDATION_ERROR')).toMatch(/^event_id: expected/);
    }
    expect((await ask(club, 'POST', '', keyFor(null))).status).toBe(201);
    const stored = await db
      .select({ event: apiKeys.event_id })
      .from(apiKeys)
      .where(eq(apiKeys.organization_id, club.organizationId));
    expect(stored).toEqual([{ event: null }]);
  });

  test('goes with its event, history included, and no other key does', async () => {
    const { club, eventId, made } = await createClubWithKey();
    const whole = await makeKey(club);
    await db.delete(events).where(eq(events.id, eventId));
    const left = await db
      .select({ id: apiKeyEvents.api_key_id })
      .from(apiKeyEvents)
      .where(eq(apiKeyEvents.organization_id, club.organizationId));
    expect(left).toEqual([{ id: whole.id }]);
    const dead = await request('/public/v1/events', { headers: withKey(made.api_key) });
    await expectError(dead, 401, 'UNAUTHORIZED');
  });

  test('cannot be deleted alone, because its history is append-only', async () => {
    const { made } = await createClubWithKey();
    await expect(db.delete(apiKeys).where(eq(apiKeys.id, made.id))).rejects.toMatchObject({
      cause: { code: '23001' },
    });
  });
});
