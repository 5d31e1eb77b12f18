import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '../worker/auth/api-key/api-key.ts';
import {
  eventChanges,
  passings,
  passingUploads,
  registrations,
  resultBatches,
} from '../worker/db/schema.ts';
import { SCOPES, type Scope } from '../worker/scopes.ts';
import { expectError } from './assertions.ts';
import { documentedOperations } from './documented.ts';
import { acting, broken, exampleOf, operationOf, sendGenerated } from './documented-world.ts';
import { createEvent, createKey, createRace, db } from './factories.ts';
import { limiterThat, startApp, testConfig, withKey } from './harness.ts';
import { panelOf } from './members.ts';
import { named, type Route, routesOf } from './routes.ts';
import { postJson, type Race, uploadRows } from './uploads.ts';

/** Routes without a key. A route without an entry here and without a prefix fails the suite. */
const OPEN_PATHS = [
  '/healthz',
  '/readyz',
  '/.well-known/jwks.json',
  // An enabled board is public: board.test.ts tests its content.
  '/board/:event_id',
  '/board/:event_id/data',
  '/board/:event_id/results',
  '/board/:event_id/find',
  '/board/:event_id/bibs/:bib_number',
  '/board/v1/:event_id',
  '/board/v1/:event_id/results',
  '/board/v1/:event_id/points',
  '/board/v1/:event_id/runners/:bib_number',
  '/board/:event_id/official/:version',
  '/b/:code',
];
const PROTECTED_PREFIX = '/public/v1/';
/** Behind a session of the panel, which panel-security.long.test.ts sees to. */
const PANEL_PREFIX = '/api/v1/';

const { app, request } = startApp();

const routes = routesOf(app);
const protectedRoutes = routes.filter(({ path }) => path.startsWith(PROTECTED_PREFIX));
const eventRoutes = protectedRoutes.filter(({ path }) => path.includes(':event_id'));

/** Whether `broken` breaks an input of the operation. */
const isBreakable = ({ method, operation }: Route): boolean =>
  method !== 'GET' || 'page' in (operation?.query?.().shape ?? {});

type Ask = {
  eventId: string;
  headers?: Record<string, string>;
  isBroken?: boolean;
};

async function send(route: Route, { eventId, headers = {}, isBroken = false }: Ask, ask = request) {
  // The deleted result exists again.
  if (/:bib_number|swap/.test(route.path) && eventId === own.eventId) {
    await uploadRows(own, [{ bib_number: '17', time: '41:02' }]);
  }
  const some = crypto.randomUUID();
  const inscription = inscriptionOf.get(eventId) ?? some;
  const example = exampleOf(operationOf(route), {
    event_id: eventId,
    batch_id: batchOf.get(eventId) ?? some,
    upload_id: passingsOf.get(eventId) ?? some,
    inscription_id: inscription,
    after: inscription,
    version: '1',
    bib_number: '17',
  });
  return sendGenerated(isBroken ? broken(example) : acting(example), headers, ask);
}

async function uploadPassing(race: Race): Promise<string> {
  const passing = '{"passings":[{"bib_number":"17","point":"Km 10","time":"41:02"}]}';
  const response = await postJson(race, passing, { to: '/passings' });
  return (await response.json<{ upload_id: string }>()).upload_id;
}

let own: Awaited<ReturnType<typeof createRace>>;
let foreign: Awaited<ReturnType<typeof createRace>>;
const keyOf = new Map<Scope, string>();
/** An upload of each event. */
const batchOf = new Map<string, string>();
/** An upload of passings of each event. */
const passingsOf = new Map<string, string>();
/** A registration of each event. */
const inscriptionOf = new Map<string, string>();

beforeAll(async () => {
  [own, foreign] = await Promise.all([
    createRace({ bibs: ['17', '18'] }),
    createRace({ bibs: ['17', '18'] }),
  ]);
  for (const scope of SCOPES)
    keyOf.set(scope, await createKey(own.organizationId, { scopes: [scope] }));
  for (const race of [own, foreign]) {
    const { batch_id } = await uploadRows(race, [{ bib_number: '17', time: '41:02' }]);
    batchOf.set(race.eventId, batch_id);
    passingsOf.set(race.eventId, await uploadPassing(race));
    await (await panelOf(race, { send: request })).ask('/results/official', { method: 'POST' });
    const [registration] = await db
      .select({ id: registrations.id })
      .from(registrations)
      .where(eq(registrations.event_id, race.eventId));
    inscriptionOf.set(race.eventId, registration?.id ?? '');
  }
});

const withScope = (scope: Scope) => withKey(keyOf.get(scope) ?? '');

const openScopes = new Map<Route, Promise<Scope[]>>();

/** The scopes without a refusal for lack of scope. Each route is asked once. */
function scopesThatOpen(route: Route): Promise<Scope[]> {
  const open = openScopes.get(route) ?? tryScopes(route);
  openScopes.set(route, open);
  return open;
}

async function tryScopes(route: Route): Promise<Scope[]> {
  const open: Scope[] = [];
  for (const scope of SCOPES) {
    const response = await send(route, { eventId: own.eventId, headers: withScope(scope) });
    if (response.status !== 403) open.push(scope);
  }
  return open;
}

async function aScopeThatDoesNotOpen(route: Route): Promise<Scope> {
  const open = new Set(await scopesThatOpen(route));
  const [closed] = SCOPES.filter((scope) => !open.has(scope));
  if (!closed) throw new Error('Every scope opens this route.');
  return closed;
}

test('requires a key or a session on every route that is not listed as open', () => {
  const unguarded = routes.filter(
    ({ path }) =>
      ![PROTECTED_PREFIX, PANEL_PREFIX].some((prefix) => path.startsWith(prefix)) &&
      !OPEN_PATHS.includes(path),
  );
  expect(unguarded).toEqual([]);
});

test('requires the scope of the contract on each public operation', async () => {
  const table: string[] = [];
  for (const route of protectedRoutes) {
    table.push(`${route.method} ${route.path} ${await scopesThatOpen(route)}`);
  }
  expect(table.sort()).toEqual([
    'DELETE /public/v1/events/:event_id/passings results:write',
    'DELETE /public/v1/events/:event_id/results/:bib_number results:write',
    'GET /public/v1/events events:read',
    'GET /public/v1/events/:event_id events:read',
    'GET /public/v1/events/:event_id/missing-results events:read',
    'GET /public/v1/events/:event_id/participants participants:read',
    'GET /public/v1/events/:event_id/participants/:inscription_id participants:read',
    'GET /public/v1/events/:event_id/participants/export participants:read',
    'GET /public/v1/events/:event_id/participants/lookup participants:read',
    'GET /public/v1/events/:event_id/passing-uploads events:read',
    'GET /public/v1/events/:event_id/passings events:read',
    'GET /public/v1/events/:event_id/passings/export events:read',
    'GET /public/v1/events/:event_id/passings/points events:read',
    'GET /public/v1/events/:event_id/points events:read',
    'GET /public/v1/events/:event_id/result-batches events:read',
    'GET /public/v1/events/:event_id/result-batches/:batch_id/changes events:read',
    'GET /public/v1/events/:event_id/results events:read',
    'GET /public/v1/events/:event_id/results/:bib_number events:read',
    'GET /public/v1/events/:event_id/results/:bib_number/history events:read',
    'GET /public/v1/events/:event_id/results/export events:read',
    'GET /public/v1/events/:event_id/results/official events:read',
    'GET /public/v1/events/:event_id/results/official/:version events:read',
    'GET /public/v1/events/:event_id/start-list inscriptions:read',
    'GET /public/v1/events/:event_id/starts events:read',
    'GET /public/v1/events/:event_id/stats stats:read',
    'GET /public/v1/events/:event_id/warnings events:read',
    'POST /public/v1/events/:event_id/passing-uploads/:upload_id/revert results:write',
    'POST /public/v1/events/:event_id/passings results:write',
    'POST /public/v1/events/:event_id/passings/file results:write',
    'POST /public/v1/events/:event_id/passings/file/preview results:write',
    'POST /public/v1/events/:event_id/result-batches/:batch_id/revert results:write',
    'POST /public/v1/events/:event_id/results results:write',
    'POST /public/v1/events/:event_id/results/file results:write',
    'POST /public/v1/events/:event_id/results/file/preview results:write',
    'POST /public/v1/events/:event_id/results/swap results:write',
    'PUT /public/v1/events/:event_id/points results:write',
    'PUT /public/v1/events/:event_id/starts results:write',
  ]);
  const documented = documentedOperations.flatMap(({ method, path, security }) => {
    if (!path.startsWith('/public/')) return [];
    const scopes = security[0]?.['headerKey'] ?? [];
    expect(security).toEqual([{ headerKey: scopes }, { bearerKey: scopes }]);
    return [`${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')} ${scopes}`];
  });
  expect(documented.sort()).toEqual(table);
});

describe.each(protectedRoutes.map(named))('%s', (_, route) => {
  const wellFormed = generateApiKey();
  const wrongChecksum = wellFormed.slice(0, -1) + (wellFormed.endsWith('0') ? '1' : '0');

  test('answers 401 without a live key', async () => {
    const [past, future] = [new Date(Date.now() - 1_000), new Date(Date.now() + 3_600_000)];
    const key = (columns: Parameters<typeof createKey>[1]) =>
      createKey(own.organizationId, columns);
    const sent: Record<string, Record<string, string>> = {
      'no key': {},
      'an empty key': { 'X-API-Key': '' },
      'an empty bearer token': { Authorization: 'Bearer ' },
      'a malformed key': withKey('er_live_short'),
      'a malformed key in the other header': { 'X-API-Key': 'er_live_short' },
      'a wrong checksum': withKey(wrongChecksum),
      'a key that nobody has': withKey(wellFormed),
      'a key that nobody has in the other header': { 'X-API-Key': wellFormed },
      'a live key that is no bearer token': { Authorization: `Basic ${own.key}` },
      'an expired key': withKey(await key({ expires_at: past })),
      'a revoked key': withKey(await key({ revoked_at: past })),
      'a key revoked before its expiry': withKey(
        await key({ revoked_at: past, expires_at: future }),
      ),
    };
    const answers: Record<string, unknown> = {};
    for (const [name, headers] of Object.entries(sent)) {
      const response = await send(route, { eventId: own.eventId, headers });
      answers[name] = {
        status: response.status,
        code: (await response.json<{ code: string }>()).code,
        challenge: response.headers.get('WWW-Authenticate'),
      };
    }
    const refused = { status: 401, code: 'UNAUTHORIZED', challenge: 'Bearer' };
    expect(answers).toEqual(Object.fromEntries(Object.keys(sent).map((name) => [name, refused])));
  });

  test('accepts the key in either header', async () => {
    const { eventId } = own;
    const opened = [
      withKey(own.key),
      { Authorization: `bearer ${own.key}` },
      { 'X-API-Key': own.key },
    ];
    for (const headers of opened) {
      expect((await send(route, { eventId, headers })).status).toBe(200);
    }
    const closed = keyOf.get(await aScopeThatDoesNotOpen(route)) ?? '';
    const refusals = [withKey(closed), { 'X-API-Key': closed }].map(async (headers) => {
      const refused = await send(route, { eventId, headers });
      return { status: refused.status, body: await refused.text() };
    });
    const [bearer, header] = await Promise.all(refusals);
    expect(bearer).toEqual(header);
  });

  test('accepts exactly one scope and answers INSUFFICIENT_SCOPE to the others', async () => {
    const open = await scopesThatOpen(route);
    expect(open).toHaveLength(1);
    for (const scope of SCOPES) {
      const response = await send(route, { eventId: own.eventId, headers: withScope(scope) });
      if (open.includes(scope)) expect(response.status).toBe(200);
      else await expectError(response, 403, 'INSUFFICIENT_SCOPE');
    }
  });

  test('answers 429 after 401 and before any other check', async () => {
    const { request: ask } = startApp(testConfig, { rateLimiter: limiterThat('refuses') });
    const headers = withScope(await aScopeThatDoesNotOpen(route));
    const sent = { eventId: foreign.eventId, isBroken: true };

    const unknown = await send(route, { ...sent, headers: withKey(generateApiKey()) }, ask);
    await expectError(unknown, 401, 'UNAUTHORIZED');
    const over = await send(route, { ...sent, headers }, ask);
    await expectError(over, 429, 'RATE_LIMITED');
    expect(over.headers.get('Retry-After')).toBe('42');
  });

  test('answers 401 and 403 before it validates the request', async () => {
    const sent = { eventId: foreign.eventId, isBroken: true };
    await expectError(await send(route, sent), 401, 'UNAUTHORIZED');
    const unknown = await send(route, { ...sent, headers: withKey(generateApiKey()) });
    await expectError(unknown, 401, 'UNAUTHORIZED');
    const headers = withScope(await aScopeThatDoesNotOpen(route));
    await expectError(await send(route, { ...sent, headers }), 403, 'INSUFFICIENT_SCOPE');
  });
});

describe.each(eventRoutes.map(named))('%s', (_, route) => {
  test('answers for an event of another organization as for a missing event', async () => {
    const answers: string[] = [];
    for (const eventId of [foreign.eventId, crypto.randomUUID()]) {
      const response = await send(route, { eventId, headers: withKey(own.key) });
      answers.push(await response.clone().text());
      await expectError(response, 404, 'NOT_FOUND');
    }
    expect(answers[0]).toBe(answers[1]);
  });

  test('answers a key for one event as if the organization had no other', async () => {
    const eventId = await createEvent(own.organizationId);
    const [elsewhere, here] = await Promise.all([
      createKey(own.organizationId, { event_id: eventId }),
      createKey(own.organizationId, { event_id: own.eventId }),
    ]);
    const ask = (key: string, event = own.eventId) =>
      send(route, { eventId: event, headers: withKey(key) });
    const refused = await ask(elsewhere);
    const missing = await ask(elsewhere, crypto.randomUUID());
    expect(await refused.clone().text()).toBe(await missing.text());
    await expectError(refused, 404, 'NOT_FOUND');
    expect((await ask(here)).status).toBe(200);
  });

  test('answers 404 to an event id that is not a uuid', async () => {
    for (const eventId of ['17', 'null', 'x'.repeat(36), '%00', `${own.eventId.slice(0, -1)}g`]) {
      const response = await send(route, { eventId, headers: withKey(own.key) });
      await expectError(response, 404, 'NOT_FOUND');
    }
  });

  test('answers 400 before 404', async () => {
    const headers = withKey(own.key);
    // An operation with the event as its only input has no wrong input.
    const expected = isBreakable(route) ? 400 : 404;
    const missing = [foreign.eventId, crypto.randomUUID(), '17'];
    for (const eventId of missing) {
      const response = await send(route, { eventId, headers, isBroken: true });
      expect({ eventId, status: response.status }).toEqual({ eventId, status: expected });
    }
  });
});

test('rejects a broken page, body or query on every operation that takes one', async () => {
  const accepting: string[] = [];
  for (const route of protectedRoutes.filter(isBreakable)) {
    const headers = withKey(own.key);
    const { status } = await send(route, { eventId: own.eventId, headers, isBroken: true });
    if (status !== 400) accepting.push(`${status} ${route.method} ${route.path}`);
  }
  expect(accepting).toEqual([]);
});

const isOfPassings = ({ path }: Route) => path.includes('/passings');
const isOfUpload = ({ path }: Route) => path.includes(':upload_id');
const isOfResult = (route: Route) =>
  /:batch_id|swap/.test(route.path) || (route.method === 'DELETE' && !isOfPassings(route));
const isPassingDeleted = (route: Route) => route.method === 'DELETE' && isOfPassings(route);

/** Stores the rows that a route changes. @returns the number of rows */
async function storeFor(route: Route, race: Race): Promise<number> {
  if (isOfResult(route)) {
    const { batch_id } = await uploadRows(race, [{ bib_number: '17', time: '41:02' }]);
    batchOf.set(race.eventId, batch_id);
  } else if (isPassingDeleted(route) || isOfUpload(route)) {
    passingsOf.set(race.eventId, await uploadPassing(race));
  } else return 0;
  return 1;
}

const tableOf = (route: Route) => {
  if (route.method === 'PUT') return eventChanges;
  if (isOfPassings(route)) return passings;
  return isOfUpload(route) ? passingUploads : resultBatches;
};

describe.each(eventRoutes.filter(({ method }) => method !== 'GET').map(named))('%s', (_, route) => {
  test('writes nothing when it answers 401, 403, 404 or 429', async () => {
    const race = await createRace({ bibs: ['17', '18'] });
    const { eventId } = race;
    const before = await storeFor(route, race);
    const revoked = await createKey(race.organizationId, { revoked_at: new Date() });
    const narrow = await createKey(race.organizationId, { scopes: ['events:read'] });
    const ofOther = await createKey(race.organizationId, {
      event_id: await createEvent(race.organizationId),
    });
    const limited = startApp(testConfig, { rateLimiter: limiterThat('refuses') });
    const statuses = [
      await send(route, { eventId, headers: withKey(revoked) }),
      await send(route, { eventId, headers: withKey(narrow) }),
      await send(route, { eventId, headers: withKey(own.key) }),
      await send(route, { eventId, headers: withKey(ofOther) }),
      await send(route, { eventId, headers: withKey(race.key) }, limited.request),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 403, 404, 404, 429]);

    const table = tableOf(route);
    const written = () => db.$count(table, eq(table.event_id, eventId));
    expect(await written()).toBe(before);
    await send(route, { eventId, headers: withKey(race.key) });
    expect((await written()) !== before).toBe(!route.path.endsWith('/preview'));
  });
});
