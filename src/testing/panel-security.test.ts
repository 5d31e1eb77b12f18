import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '../caller/api-key.ts';
import { apiKeyEvents, apiKeys } from '../db/schema.ts';
import { expectError } from './assertions.ts';
import { createKey, db } from './factories.ts';
import { withoutServices } from './faults.ts';
import { startApp, testConfig } from './harness.ts';
import {
  type Club,
  createClub,
  createMember,
  makeKey,
  removeMember,
  secondsFromNow,
  signSession,
  withSession,
} from './members.ts';
import { named, type Route, routesOf } from './routes.ts';

const PANEL_PREFIX = '/api/v1/';

const { app, request } = startApp();
const panelRoutes = routesOf(app).filter(({ path }) => path.startsWith(PANEL_PREFIX));
const keyRoutes = panelRoutes.filter(({ path }) => path.includes(':key_id'));

type Ask = {
  organizationId: string;
  keyId: string;
  headers?: Record<string, string>;
  /** Breaks what is sent: the page of a list and the body of a creation. */
  broken?: boolean;
};

function send(route: Route, sent: Ask, ask = request) {
  const { organizationId, keyId, headers = {}, broken = false } = sent;
  const path = route.path
    .replace(':organization_id', organizationId)
    .replace(':key_id', keyId)
    .concat(broken ? '?page=0' : '');
  const body = broken ? '{' : JSON.stringify({ name: 'x', scopes: ['events:read'] });
  return ask(path, {
    method: route.method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(route.method === 'POST' && { body }),
  });
}

type ClubWithKey = Club & { keyId: string };

async function createClubWithKey(): Promise<ClubWithKey> {
  const club = await createClub();
  return { ...club, keyId: (await makeKey(club)).id };
}

let own: ClubWithKey;
let foreign: ClubWithKey;

beforeAll(async () => {
  [own, foreign] = await Promise.all([createClubWithKey(), createClubWithKey()]);
});

const stateOf = async ({ organizationId }: Club) => ({
  keys: await db.select().from(apiKeys).where(eq(apiKeys.organization_id, organizationId)),
  events: await db
    .select()
    .from(apiKeyEvents)
    .where(eq(apiKeyEvents.organization_id, organizationId)),
});

test('the operations of the panel are the four of the contract', () => {
  const keys = '/api/v1/organizations/:organization_id/api-keys';
  expect(panelRoutes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    `DELETE ${keys}/:key_id`,
    `GET ${keys}`,
    `POST ${keys}`,
    `POST ${keys}/:key_id/rotate`,
  ]);
});

test('every operation of the panel is of one organization', () => {
  const others = panelRoutes.filter(
    ({ path }) => !path.startsWith(`${PANEL_PREFIX}organizations/:organization_id/`),
  );
  expect(others).toEqual([]);
});

describe.each(panelRoutes.map(named))('%s', (_, route) => {
  const hour = 3_600;

  test.each<[string, () => Promise<Record<string, string>>]>([
    ['no session', async () => ({})],
    ['an empty session', async () => withSession('')],
    ['a session that is no token', async () => withSession('x.y.z')],
    ['an API key', async () => withSession(await createKey(own.organizationId))],
    ['an API key in its own header', async () => ({ 'X-API-Key': generateApiKey() })],
    [
      'a session that has expired',
      async () =>
        withSession(await signSession({ sub: own.owner.userId, exp: secondsFromNow(-60) })),
    ],
    [
      'a session that has not begun',
      async () =>
        withSession(await signSession({ sub: own.owner.userId, nbf: secondsFromNow(hour) })),
    ],
    [
      'a session without an end',
      async () => withSession(await signSession({ sub: own.owner.userId, exp: undefined })),
    ],
    ['a session of nobody', async () => withSession(await signSession({}))],
    [
      'a session signed by somebody else',
      async () => {
        const secret = 'somebody else’s secret of some length';
        return withSession(await signSession({ sub: own.owner.userId }, { secret }));
      },
    ],
  ])('answers 401 to %s, before all else and without a trip', async (_what, headersOf) => {
    const headers = await headersOf();
    const before = await stateOf(own);
    const away = startApp(withoutServices(testConfig, 'postgres', 'redis'));
    for (const organizationId of [own.organizationId, foreign.organizationId, 'x']) {
      for (const broken of [false, true]) {
        const sent = { organizationId, keyId: own.keyId, headers, broken };
        const response = await send(route, sent, away.request);
        await expectError(response, 401, 'UNAUTHORIZED');
        expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
        await expectError(await send(route, sent), 401, 'UNAUTHORIZED');
      }
    }
    expect(await stateOf(own)).toEqual(before);
  });

  test('answers who is no member as if there were no such organization', async () => {
    const before = await stateOf(foreign);
    const stranger = withSession(await signSession({ sub: `user-${crypto.randomUUID()}` }));
    const answers: string[] = [];
    for (const headers of [own.owner.headers, stranger]) {
      for (const organizationId of [foreign.organizationId, crypto.randomUUID(), 'x', '%00']) {
        for (const broken of [false, true]) {
          for (const keyId of [own.keyId, foreign.keyId, 'x']) {
            const response = await send(route, { organizationId, keyId, headers, broken });
            answers.push(await expectError(response, 404, 'NOT_FOUND'));
          }
        }
      }
    }
    expect(new Set(answers).size).toBe(1);
    expect(await stateOf(foreign)).toEqual(before);
  });

  test('tells a member who is neither owner nor admin so, before a broken request', async () => {
    const { headers } = await createMember(own.organizationId, 'member');
    const before = await stateOf(own);
    for (const broken of [false, true]) {
      for (const keyId of [own.keyId, foreign.keyId, crypto.randomUUID(), 'x']) {
        const sent = { organizationId: own.organizationId, keyId, headers, broken };
        await expectError(await send(route, sent), 403, 'INSUFFICIENT_SCOPE');
      }
    }
    expect(await stateOf(own)).toEqual(before);
  });

  test.each(['owner', 'admin'] as const)('serves the %s, in one trip', async (role) => {
    const club = await createClubWithKey();
    const { headers } = await createMember(club.organizationId, role);
    const { request: ask, logged } = startApp();
    const response = await send(route, { ...club, headers }, ask);
    expect(response.status).toBeLessThan(300);
    expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    expect(logged).toMatchObject([{ trips: 1 }]);
  });

  test('serves nobody on the very request after they were removed', async () => {
    const club = await createClubWithKey();
    const admin = await createMember(club.organizationId, 'admin');
    await removeMember(club.organizationId, admin.userId);
    const before = await stateOf(club);
    const response = await send(route, { ...club, headers: admin.headers });
    await expectError(response, 404, 'NOT_FOUND');
    expect(await stateOf(club)).toEqual(before);
  });

  test('is away when the database is', async () => {
    const away = startApp(withoutServices(testConfig, 'postgres'));
    const response = await send(route, { ...own, headers: own.owner.headers }, away.request);
    await expectError(response, 503, 'SERVICE_UNAVAILABLE');
    expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
  });
});

describe.each(keyRoutes.map(named))('%s', (_, route) => {
  test('answers for a key of another organization as for one that does not exist', async () => {
    const before = await stateOf(foreign);
    const answers: string[] = [];
    for (const keyId of [foreign.keyId, crypto.randomUUID(), 'x', '%00']) {
      const { organizationId, owner } = own;
      const response = await send(route, { organizationId, keyId, headers: owner.headers });
      answers.push(await expectError(response, 404, 'NOT_FOUND'));
    }
    expect(new Set(answers).size).toBe(1);
    expect(await stateOf(foreign)).toEqual(before);
  });
});
