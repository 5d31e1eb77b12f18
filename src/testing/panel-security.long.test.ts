import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '../worker/auth/api-key/api-key.ts';
import type { Database } from '../worker/db/client.ts';
import {
  apiKeyEvents,
  apiKeys,
  events,
  officialResults,
  resultBatches,
  results,
} from '../worker/db/schema.ts';
import { buildServices } from '../worker/services.ts';
import { expectError } from './assertions.ts';
import { acting, broken, exampleOf, operationOf, sendGenerated } from './documented-world.ts';
import { createEvent, createKey, createRegistrations, db } from './factories.ts';
import { withoutServices } from './faults.ts';
import { startApp, testConfig, withKey } from './harness.ts';
import {
  type Club,
  createClub,
  createMember,
  keysPath,
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
/** The parameters of paths with an id of the organization. */
const OWNED = [':key_id', ':event_id', ':batch_id', ':upload_id'] as const;
/**
 * The trips of uploads: for the verdict, for the bibs of the event, and for the rows. A revert reads its batch, then
 * writes. A version is read, then written.
 */
const TRIPS: Record<string, number> = {
  'POST /results/file': 2,
  'POST /results/file/preview': 3,
  'POST /results/official': 2,
  'POST /passings/file': 2,
  'POST /passings/file/preview': 3,
  'DELETE /passings': 2,
  // The statement reads the race for the judge, then writes.
  'PATCH /results/:bib_number': 2,
  'DELETE /results/:bib_number': 2,
  'POST /results/swap': 2,
  'PUT /starts': 2,
  'PUT /points': 2,
  'POST /result-batches/:batch_id/revert': 2,
  'POST /passing-uploads/:upload_id/revert': 2,
};

/** Exports and the head of a race are asked again with their ETag. */
const isPolled = ({ method, path }: Route): boolean =>
  method === 'GET' && /\/(export|:event_id)$/.test(path);

type Ids = { keyId: string; eventId: string; batchId: string; uploadId: string };
type Ask = Ids & {
  organizationId: string;
  headers?: Record<string, string>;
  isBroken?: boolean;
};

function send(route: Route, { headers = {}, isBroken = false, ...ids }: Ask, ask = request) {
  const example = exampleOf(operationOf(route), {
    organization_id: ids.organizationId,
    key_id: ids.keyId,
    event_id: ids.eventId,
    batch_id: ids.batchId,
    upload_id: ids.uploadId,
    version: '1',
    bib_number: '17',
    distance: '2K Kids',
  });
  return sendGenerated(isBroken ? broken(example) : acting(example), headers, ask);
}

type FullClub = Club & Ids;

const idsOf = (id: string) => ({ keyId: id, eventId: id, batchId: id, uploadId: id });

/**
 * A club with a key, an event, and a result uploaded with the key; the result is official if the route needs an
 * official version.
 */
async function createFullClub(route?: Route): Promise<FullClub> {
  const club = await createClub();
  const eventId = await createEvent(club.organizationId);
  await createRegistrations(eventId, [
    { bib_number: '17', distance: '2K Kids' },
    { bib_number: '18' },
  ]);
  const key = await makeKey(club);
  const response = await request(`/public/v1/events/${eventId}/results`, {
    method: 'POST',
    headers: { ...withKey(key.api_key), 'Content-Type': 'application/json' },
    body: '{"results": [{"bib_number": "17", "chip_time": "01:28:03.512"}]}',
  });
  const { batch_id: batchId } = await response.json<{ batch_id: string }>();
  const passing = await request(`/public/v1/events/${eventId}/passings`, {
    method: 'POST',
    headers: { ...withKey(key.api_key), 'Content-Type': 'application/json' },
    body: '{"passings": [{"bib_number": "18", "point": "Km 5", "time": "20:00"}]}',
  });
  const { upload_id: uploadId } = await passing.json<{ upload_id: string }>();
  const full = { ...club, eventId, keyId: key.id, batchId, uploadId };
  if (route && !/official|history/.test(route.path)) return full;
  const official = `/api/v1/organizations/${club.organizationId}/events/${eventId}/results/official`;
  await request(official, { method: 'POST', headers: club.owner.headers });
  return full;
}

let own: FullClub;
let foreign: FullClub;

beforeAll(async () => {
  [own, foreign] = await Promise.all([createFullClub(), createFullClub()]);
});

/** The state that a write could change. A read changes nothing, so its state is not compared. */
const stateOf = async ({ method }: Route, { organizationId, eventId }: FullClub) =>
  method !== 'GET' && {
    keys: await db.select().from(apiKeys).where(eq(apiKeys.organization_id, organizationId)),
    history: await db
      .select()
      .from(apiKeyEvents)
      .where(eq(apiKeyEvents.organization_id, organizationId)),
    events: await db.select().from(events).where(eq(events.organization_id, organizationId)),
    results: await db.select().from(results).where(eq(results.event_id, eventId)),
    official: await db.select().from(officialResults).where(eq(officialResults.event_id, eventId)),
    batches: await db.select().from(resultBatches).where(eq(resultBatches.event_id, eventId)),
  };

test('puts every panel operation under one organization', () => {
  const others = panelRoutes.filter(
    ({ path }) => !`${path}/`.startsWith(`${PANEL_PREFIX}organizations/:organization_id/`),
  );
  expect(others).toEqual([]);
});

/** Credentials without a valid session of the panel, by their fault. */
async function noSessions(): Promise<Record<string, Record<string, string>>> {
  const { organizationId, owner } = own;
  const signed = async (...session: Parameters<typeof signSession>) =>
    withSession(await signSession(...session));
  const sub = owner.userId;
  return {
    'no session': {},
    'an empty session': withSession(''),
    'a session that is no token': withSession('x.y.z'),
    'an API key': withSession(await createKey(organizationId)),
    'an API key in its own header': { 'X-API-Key': generateApiKey() },
    'a session that has expired': await signed({ sub, exp: secondsFromNow(-60) }),
    'a session that has not begun': await signed({ sub, nbf: secondsFromNow(3_600) }),
    'a session without an end': await signed({ sub, exp: undefined }),
    'a session of nobody': await signed({}),
    'a session signed by somebody else': await signed(
      { sub },
      { secret: 'somebody else’s secret of some length' },
    ),
  };
}

describe.each(panelRoutes.map(named))('%s', (_, route) => {
  test('answers 401 without a session before any other check and without a round trip', async () => {
    const away = startApp(withoutServices(testConfig, 'postgres', 'redis'));
    const wrong: string[] = [];
    for (const [name, headers] of Object.entries(await noSessions())) {
      for (const organizationId of [own.organizationId, foreign.organizationId, 'x']) {
        for (const isBroken of [false, true]) {
          const sent = { ...own, organizationId, headers, isBroken };
          const response = await send(route, sent, away.request);
          const { code } = await response.json<{ code: string }>();
          const answer = `${response.status} ${code} ${response.headers.get('WWW-Authenticate')}`;
          if (answer !== '401 UNAUTHORIZED Bearer') wrong.push(`${name}: ${answer}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('answers a stranger and a removed member as if the organization did not exist', async () => {
    const before = await stateOf(route, foreign);
    const stranger = withSession(await signSession({ sub: `user-${crypto.randomUUID()}` }));
    const removed = await createMember(foreign.organizationId, 'admin');
    await removeMember(foreign.organizationId, removed.userId);
    const answers: string[] = [];
    for (const headers of [own.owner.headers, stranger, removed.headers]) {
      for (const organizationId of [foreign.organizationId, crypto.randomUUID(), 'x', '%00']) {
        // A broken or foreign id makes no difference to a single caller, so no caller sees a difference.
        const others =
          headers === stranger
            ? ([
                [own, true],
                [idsOf('x'), true],
              ] as const)
            : [];
        for (const [ids, isBroken] of [[foreign, false] as const, ...others]) {
          const sent = { ...ids, organizationId, headers, isBroken };
          answers.push(await expectError(await send(route, sent), 404, 'NOT_FOUND'));
        }
      }
    }
    expect(new Set(answers).size).toBe(1);
    expect(await stateOf(route, foreign)).toEqual(before);
  });

  test('answers 403 to a plain member before it validates the request', async () => {
    const { headers } = await createMember(own.organizationId, 'member');
    const before = await stateOf(route, own);
    for (const isBroken of [false, true]) {
      for (const ids of [own, foreign, idsOf(crypto.randomUUID()), idsOf('x')]) {
        const sent = { ...ids, organizationId: own.organizationId, headers, isBroken };
        await expectError(await send(route, sent), 403, 'INSUFFICIENT_SCOPE');
      }
    }
    expect(await stateOf(route, own)).toEqual(before);
  });

  test.each(['owner', 'admin'] as const)(
    'serves the %s in the expected number of round trips',
    async (role) => {
      const club = await createFullClub(route);
      const { headers } = await createMember(club.organizationId, role);
      const { request: ask, logged } = startApp();
      // From then on the isolate knows the session.
      await ask(keysPath(club.organizationId), { headers });
      logged.length = 0;
      const response = await send(route, { ...club, headers }, ask);
      expect(response.status).toBeLessThan(300);
      const caching = isPolled(route) ? 'no-cache' : 'no-store';
      expect(response.headers.get('Cache-Control')).toBe(`private, ${caching}`);
      const [, end = ''] = route.path.split('/events/:event_id');
      // A file with personal data has a second line, at the end: the number of sent rows.
      await response.arrayBuffer();
      const sent = end.endsWith('/export')
        ? [{ message: 'A file with personal data was sent' }]
        : [];
      expect(logged).toMatchObject([{ trips: TRIPS[`${route.method} ${end}`] ?? 1 }, ...sent]);
    },
  );

  test('waits at most 3 s for a lock in each trip that takes one', async () => {
    const club = await createFullClub(route);
    const { db: database } = buildServices(testConfig, { info() {}, error() {} });
    const waits: unknown[] = [];
    // A transaction has an id from its first lock of a row, or its first write, on.
    const LOCK_WAIT = `select current_setting('lock_timeout') where pg_current_xact_id_if_assigned() is not null`;
    const watched: Database = async (queries, signal, options) => {
      if (options?.isStreamed) return database(queries, signal, options);
      const answers = await database([...queries, { sql: LOCK_WAIT, params: [] }], signal);
      waits.push(...(answers.at(-1)?.rows ?? []));
      return answers.slice(0, -1);
    };
    const { request: ask } = startApp(testConfig, { db: watched });
    const response = await send(route, { ...club, headers: club.owner.headers }, ask);
    expect(response.status).toBeLessThan(300);
    if (route.method !== 'GET' && !route.path.endsWith('/preview')) {
      expect(waits.length).toBeGreaterThan(0);
    }
    expect(waits.map((row) => Object.values(Object(row)))).toEqual(waits.map(() => ['3s']));
  });

  test('answers 503 when the database is down', async () => {
    const away = startApp(withoutServices(testConfig, 'postgres'));
    const response = await send(route, { ...own, headers: own.owner.headers }, away.request);
    await expectError(response, 503, 'SERVICE_UNAVAILABLE');
    expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
  });
});

const ownedRoutes = panelRoutes.filter(({ path }) => OWNED.some((name) => path.includes(name)));

describe.each(ownedRoutes.map(named))('%s', (_, route) => {
  test('answers for a key or event of another organization as for a missing one', async () => {
    const before = await stateOf(route, foreign);
    const answers: string[] = [];
    for (const ids of [foreign, ...[crypto.randomUUID(), 'x', '%00'].map(idsOf)]) {
      const { organizationId, owner } = own;
      const sent = { ...ids, organizationId, headers: owner.headers };
      answers.push(await expectError(await send(route, sent), 404, 'NOT_FOUND'));
    }
    expect(new Set(answers).size).toBe(1);
    expect(await stateOf(route, foreign)).toEqual(before);
  });
});
