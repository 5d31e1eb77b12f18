import { expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { startApp, withKey } from '../../testing/harness.ts';
import { type Club, createClub, createMember, makeKey } from '../../testing/members.ts';
import type { ApiKeyEvent, ApiKeyRecord } from './answer-schemas.ts';

const { request } = startApp();

const rename = ({ path, owner }: Club, keyId: string, body: unknown, headers = owner.headers) =>
  request(`${path}/${keyId}`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const historyOf = async ({ path, owner }: Club, keyId: string) => {
  const response = await request(`${path}/${keyId}/events`, { headers: owner.headers });
  return (await response.json<{ data: ApiKeyEvent[] }>()).data;
};

test('renames a key, which stays the same otherwise, and records who did it', async () => {
  const club = await createClub();
  const { api_key, message: _, ...made } = await makeKey(club);
  const admin = await createMember(club.organizationId, 'admin');
  const response = await rename(club, made.id, { name: '  <b>Finish</b> ‮van ' }, admin.headers);
  expect(response.status).toBe(200);
  expect(await response.json<ApiKeyRecord>()).toEqual({ ...made, name: '<b>Finish</b> ‮van' });
  const events = await request('/public/v1/events', { headers: withKey(api_key) });
  expect(events.status).toBe(200);
  expect(await historyOf(club, made.id)).toMatchObject([
    { kind: 'renamed', actor: admin.userId, key_prefix: made.key_prefix },
    { kind: 'created' },
  ]);
});

test('records nothing if the key has the name already', async () => {
  const club = await createClub();
  const { id, name } = await makeKey(club);
  expect((await rename(club, id, { name })).status).toBe(200);
  expect(await historyOf(club, id)).toHaveLength(1);
});

test('renames a revoked key, which stays revoked', async () => {
  const club = await createClub();
  const { id } = await makeKey(club);
  await request(`${club.path}/${id}`, { method: 'DELETE', headers: club.owner.headers });
  const response = await rename(club, id, { name: 'Old van' });
  expect(await response.json<ApiKeyRecord>()).toMatchObject({ name: 'Old van', is_active: false });
});

test.each([
  {},
  { name: '' },
  { name: ' ' },
  { name: 'x'.repeat(101) },
  { name: 'a\0b' },
  { name: 1 },
])('refuses %o', async (body) => {
  const club = await createClub();
  const { id } = await makeKey(club);
  await expectError(await rename(club, id, body), 400, 'VALIDATION_ERROR');
  expect(await historyOf(club, id)).toHaveLength(1);
});
