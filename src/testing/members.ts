import { and, eq } from 'drizzle-orm';
import { CompactSign } from 'jose';
import { CreatedApiKey } from '../api-keys/schemas.ts';
import { organizationMembers } from '../db/schema.ts';
import { SCOPES, type Scope } from '../scopes.ts';
import { createOrganization, db } from './factories.ts';
import { startApp, testConfig } from './harness.ts';

const { request } = startApp();

type Role = typeof organizationMembers.$inferInsert.role;

export const keysPath = (organizationId: string): string =>
  `/api/v1/organizations/${organizationId}/api-keys`;

/** A user of the panel with that role in the organization, and the headers that they send. */
export async function createMember(
  organizationId: string,
  role: Role = 'owner',
  userId = `user-${crypto.randomUUID()}`,
) {
  await db
    .insert(organizationMembers)
    .values({ organization_id: organizationId, user_id: userId, role });
  return { userId, headers: withSession(await signSession({ sub: userId })) };
}

/** An organization with its owner, and where its keys are managed. */
export async function createClub() {
  const organizationId = await createOrganization();
  const owner = await createMember(organizationId);
  return { organizationId, owner, path: keysPath(organizationId) };
}

export type Club = Awaited<ReturnType<typeof createClub>>;

const isMember = (organizationId: string, userId: string) =>
  and(
    eq(organizationMembers.organization_id, organizationId),
    eq(organizationMembers.user_id, userId),
  );

export const removeMember = (organizationId: string, userId: string) =>
  db.delete(organizationMembers).where(isMember(organizationId, userId));

export const setRole = (organizationId: string, userId: string, role: Role) =>
  db.update(organizationMembers).set({ role }).where(isMember(organizationId, userId));

/** Seconds since 1970, as tokens tell the time. */
export const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

/** A token good for an hour, but for what the claims say; one that is undefined is left out. */
export const signSession = (
  claims: Record<string, unknown>,
  { alg = 'HS256', secret = testConfig.PANEL_JWT_SECRET } = {},
): Promise<string> =>
  new CompactSign(utf8(JSON.stringify({ exp: secondsFromNow(3_600), ...claims })))
    .setProtectedHeader({ alg })
    .sign(utf8(secret ?? ''));

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export const withSession = (token: string): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
});

/** Has the club's owner make a key, and gives what the panel was answered. */
export async function makeKey({ path, owner }: Club, scopes: readonly Scope[] = SCOPES) {
  const response = await request(path, {
    method: 'POST',
    headers: { ...owner.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Timing crew', scopes }),
  });
  if (response.status !== 201) throw new Error(`No key was made: ${await response.text()}`);
  return CreatedApiKey.strict().parse(await response.json());
}
