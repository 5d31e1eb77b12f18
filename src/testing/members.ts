import { and, eq } from 'drizzle-orm';
import { insertMember } from '../dev/stack/seed.ts';
import * as session from '../dev/stack/session.ts';
import { CreatedApiKey } from '../worker/api-keys/answer-schemas.ts';
import { organizationMembers } from '../worker/db/schema.ts';
import { SCOPES, type Scope } from '../worker/scopes.ts';
import { createOrganization, db } from './factories.ts';
import { request, testConfig } from './harness.ts';

type Role = typeof organizationMembers.$inferInsert.role;

export const keysPath = (organizationId: string): string =>
  `/api/v1/organizations/${organizationId}/api-keys`;

/** Creates a member of the organization. `headers` carry the member's session. */
export async function createMember(
  organizationId: string,
  role: Role = 'owner',
  userId = `user-${crypto.randomUUID()}`,
) {
  await insertMember(db, organizationId, role, userId);
  return { userId, headers: withSession(await signSession({ sub: userId })) };
}

/** Creates an organization with its owner. `path` is the path of the organization's keys. */
export async function createClub() {
  const organizationId = await createOrganization();
  const owner = await createMember(organizationId);
  return { organizationId, owner, path: keysPath(organizationId) };
}

/**
 * Creates a manager of a race. `ask` sends a request of the manager below the race; a text is JSON unless `init` has
 * its type.
 */
export async function panelOf(
  race: { organizationId: string; eventId: string },
  { role = 'owner', send = request }: { role?: Role; send?: typeof request } = {},
) {
  const { headers, userId } = await createMember(race.organizationId, role);
  const path = `/api/v1/organizations/${race.organizationId}/events/${race.eventId}`;
  const ask = (below: string, init: RequestInit = {}) => {
    const type = typeof init.body === 'string' && { 'Content-Type': 'application/json' };
    return send(path + below, { ...init, headers: { ...headers, ...type, ...init.headers } });
  };
  return { userId, headers, path, ask };
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

export { secondsFromNow } from '../dev/stack/session.ts';

/** Signs a session. The session is valid for an hour unless the claims differ. */
export const signSession = (
  claims: Record<string, unknown>,
  { alg = 'HS256', secret = testConfig.PANEL_JWT_SECRET ?? '' } = {},
): Promise<string> => session.signSession(claims, secret, alg);

export const withSession = (token: string): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
});

/** Creates a key as the club's owner does in the panel. @returns the panel's answer */
export async function makeKey({ path, owner }: Club, scopes: readonly Scope[] = SCOPES) {
  const response = await request(path, {
    method: 'POST',
    headers: { ...owner.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Timing crew', scopes }),
  });
  if (response.status !== 201)
    throw new Error(`The panel did not create a key: ${await response.text()}`);
  return CreatedApiKey.strict().parse(await response.json());
}
