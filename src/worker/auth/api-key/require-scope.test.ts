import { eq, sql } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import {
  createEvent,
  createKey,
  createOrganization,
  createRace,
  createRegistrations,
  db,
} from '../../../testing/factories.ts';
import { injectFault, withoutServices } from '../../../testing/faults.ts';
import { type LoggedLine, startApp, testConfig, withKey } from '../../../testing/harness.ts';
import { shortenWait } from '../../../testing/short-waits.ts';
import { connect, type Database, transact } from '../../db/client.ts';
import { apiKeys } from '../../db/schema.ts';
import { command } from '../../db/statement.ts';
import { buildServices } from '../../services.ts';
import { generateApiKey, hashApiKey } from './api-key.ts';
import { findLiveKey } from './queries.ts';

const { request } = startApp();

const listEvents = (key: string) => request('/public/v1/events', { headers: withKey(key) });

async function rowOf(key: string) {
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.key_hash, hashApiKey(key)));
  if (!row) throw new Error('The key is gone.');
  return row;
}

async function update(key: string, columns: Partial<typeof apiKeys.$inferInsert>) {
  const keyHash = hashApiKey(key);
  await db.update(apiKeys).set(columns).where(eq(apiKeys.key_hash, keyHash));
}

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);

describe('last_used_at', () => {
  test('is written on the first use of a key', async () => {
    const key = await createKey(await createOrganization());
    expect((await rowOf(key)).last_used_at).toBeNull();

    const before = secondsAgo(5);
    expect((await listEvents(key)).status).toBe(200);
    const usedAt = (await rowOf(key)).last_used_at;
    expect(usedAt?.getTime()).toBeGreaterThan(before.getTime());
    expect(usedAt?.getTime()).toBeLessThan(Date.now() + 5_000);
  });

  test('stays the same within a minute of the last use', async () => {
    const last_used_at = secondsAgo(50);
    const key = await createKey(await createOrganization(), { last_used_at });
    await listEvents(key);
    expect((await rowOf(key)).last_used_at).toEqual(last_used_at);
  });

  test('is written again after a minute', async () => {
    const last_used_at = secondsAgo(65);
    const key = await createKey(await createOrganization(), { last_used_at });
    await listEvents(key);
    expect((await rowOf(key)).last_used_at?.getTime()).toBeGreaterThan(secondsAgo(30).getTime());
  });

  test('is written for a request without the scope', async () => {
    const key = await createKey(await createOrganization(), { scopes: ['stats:read'] });
    expect((await listEvents(key)).status).toBe(403);
    expect((await rowOf(key)).last_used_at).not.toBeNull();
  });

  test.each([
    ['revoked', { revoked_at: secondsAgo(1) }],
    ['expired', { expires_at: secondsAgo(1) }],
  ])('is not written for a key that is %s', async (_state, columns) => {
    const key = await createKey(await createOrganization(), columns);
    expect((await listEvents(key)).status).toBe(401);
    expect((await rowOf(key)).last_used_at).toBeNull();
  });

  test('is not due in a read-only database', async () => {
    const keyHash = hashApiKey(await createKey(await createOrganization()));
    const readOnly = command('readOnly', () => sql`set transaction read only`)({});
    const caller = { keyHash, neededScope: 'events:read' };
    const database = connect(testConfig.DATABASE_URL);
    const [[writable]] = await transact(database, [findLiveKey({})], caller);
    const [, [readable]] = await transact(database, [readOnly, findLiveKey({})], caller);
    expect([writable?.is_use_due, readable?.is_use_due]).toEqual([true, false]);
  });

  test('is missing and logged, and the request answered, if it cannot be written', async () => {
    const database = connect(testConfig.DATABASE_URL);
    const failing: Database = (queries, ...rest) =>
      queries.some(({ sql }) => sql.includes('set last_used_at'))
        ? Promise.reject(new Error('refused'))
        : database(queries, ...rest);
    const app = startApp(testConfig, { db: failing });
    const key = await createKey(await createOrganization());
    expect((await app.request('/public/v1/events', { headers: withKey(key) })).status).toBe(200);
    const { id, last_used_at } = await rowOf(key);
    expect(last_used_at).toBeNull();
    expect(app.logged).toContainEqual(
      expect.objectContaining({ level: 'error', error: 'Error: refused', key_id: id }),
    );
  });

  test('stays the same for other keys', async () => {
    const organizationId = await createOrganization();
    const [used, idle] = [await createKey(organizationId), await createKey(organizationId)];
    await listEvents(used);
    expect((await rowOf(idle)).last_used_at).toBeNull();
  });
});

describe('an API key', () => {
  test('works until its expiry', async () => {
    const organizationId = await createOrganization();
    const key = await createKey(organizationId, { expires_at: new Date(Date.now() + 60_000) });
    expect((await listEvents(key)).status).toBe(200);
    await update(key, { expires_at: secondsAgo(1) });
    await expectError(await listEvents(key), 401, 'UNAUTHORIZED');
  });

  test('stops working on the next request after its revocation', async () => {
    const key = await createKey(await createOrganization());
    expect((await listEvents(key)).status).toBe(200);
    await update(key, { revoked_at: new Date() });
    await expectError(await listEvents(key), 401, 'UNAUTHORIZED');
  });

  test('works only with the new secret after a rotation', async () => {
    const key = await createKey(await createOrganization());
    const fresh = generateApiKey();
    await update(key, { key_hash: hashApiKey(fresh) });
    await expectError(await listEvents(key), 401, 'UNAUTHORIZED');
    expect((await listEvents(fresh)).status).toBe(200);
  });

  test('gains and loses scopes on the next request', async () => {
    const key = await createKey(await createOrganization(), { scopes: ['stats:read'] });
    expect((await listEvents(key)).status).toBe(403);
    await update(key, { scopes: ['stats:read', 'events:read'] });
    expect((await listEvents(key)).status).toBe(200);
    await update(key, { scopes: ['payments:read'] });
    expect((await listEvents(key)).status).toBe(403);
  });

  test('serves many requests at once', async () => {
    const { key, eventId } = await createRace();
    const responses = await Promise.all(Array.from({ length: 25 }, () => listEvents(key)));
    for (const response of responses) {
      expect(await response.json()).toMatchObject({ data: [{ id: eventId }] });
    }
  });

  test('is taken from the bearer token if both headers hold a key', async () => {
    const [mine, other] = [await createRace(), await createRace()];
    const headers = { ...withKey(mine.key), 'X-API-Key': other.key };
    const response = await request('/public/v1/events', { headers });
    expect(await response.json()).toMatchObject({ data: [{ id: mine.eventId }] });
  });
});

describe('X-API-Key', () => {
  test.each([
    ['a bearer token without the prefix of keys', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln'],
    ['Basic credentials', 'Basic dXNlcjpwYXNz'],
    ['another scheme', 'Digest username="x"'],
    ['an empty bearer token', 'Bearer '],
  ])('is used beside %s', async (_what, Authorization) => {
    const { key, eventId } = await createRace();
    const headers = { Authorization, 'X-API-Key': key };
    const response = await request('/public/v1/events', { headers });
    expect(await response.json()).toMatchObject({ data: [{ id: eventId }] });
  });

  test('is ignored beside a bearer token with the key prefix', async () => {
    const { key } = await createRace();
    const headers = { Authorization: 'Bearer er_live_mistyped', 'X-API-Key': key };
    const response = await request('/public/v1/events', { headers });
    expect(await expectError(response, 401, 'UNAUTHORIZED')).toContain('malformed');
  });
});

describe('a key that does not exist', () => {
  test.each([
    ['of the wrong shape', 'er_live_short'],
    ['with a wrong checksum', `er_live_${'0'.repeat(38)}`],
  ])('refuses a key %s without Postgres and Redis', async (_what, key) => {
    const alone = startApp(withoutServices(testConfig, 'postgres', 'redis'));
    const path = `/public/v1/events/${crypto.randomUUID()}/stats`;
    const response = await alone.request(path, { headers: withKey(key) });
    await expectError(response, 401, 'UNAUTHORIZED');
    expect(alone.logged).toMatchObject([{ level: 'info', status: 401, trips: 0 }]);
  });

  test('looks a well-formed key up in Postgres', async () => {
    const alone = startApp(withoutServices(testConfig, 'postgres'));
    const response = await alone.request('/public/v1/events', {
      headers: withKey(generateApiKey()),
    });
    await expectError(response, 503, 'SERVICE_UNAVAILABLE');
  });
});

describe('the log line of a request', () => {
  async function lineOf(path: string, init: RequestInit): Promise<LoggedLine> {
    const app = startApp();
    await (await app.request(path, init)).text();
    expect(app.logged).toHaveLength(1);
    return { ...app.logged[0] };
  }

  test.each([
    ['/public/v1/events', '', 1],
    ['/public/v1/events/:event_id', '', undefined],
    ['/public/v1/events/:event_id/participants', '', 2],
    ['/public/v1/events/:event_id/participants/lookup', '?bib=1', 1],
    ['/public/v1/events/:event_id/stats', '', 2],
  ])('counts one round trip for %s', async (route, query, rows) => {
    const { key, eventId, organizationId } = await createRace({ bibs: ['1', '2'] });
    const path = route.replace(':event_id', eventId) + query;
    const line = await lineOf(path, { headers: { ...withKey(key), 'X-Request-Id': 'lap-7' } });
    const isPersonal = route.includes('/participants');
    expect(line).toEqual({
      level: 'info',
      request_id: 'lap-7',
      method: 'GET',
      route,
      operation: expect.any(String),
      ...(isPersonal && { personal: true }),
      status: 200,
      ms: expect.any(Number),
      key_id: (await rowOf(key)).id,
      key_prefix: key.slice(0, 12),
      organization_id: organizationId,
      ...(route.includes(':event_id') && { event_id: eventId }),
      postgres_ms: expect.any(Number),
      redis_ms: expect.any(Number),
      trips: 1,
      rows,
    });
  });

  test('counts two round trips for an upload', async () => {
    const { key, path } = await createRace({ bibs: ['1'] });
    const line = await lineOf(`${path}/results`, {
      method: 'POST',
      headers: { ...withKey(key), 'Content-Type': 'application/json' },
      body: JSON.stringify({ results: [{ bib_number: '1', time: '00:41:02' }] }),
    });
    expect(line).toMatchObject({ status: 200, trips: 2, rows: 1, key_id: (await rowOf(key)).id });
  });

  test.each([
    ['/public/v1/events?page=0', 400],
    ['/public/v1/events/17', 404],
  ])('names the key of an invalid request (%s)', async (path, status) => {
    const key = await createKey(await createOrganization());
    const line = await lineOf(path, { headers: withKey(key) });
    expect(line).toMatchObject({ status, trips: 1, key_id: (await rowOf(key)).id });
  });

  test('names no key and counts no trip without a key', async () => {
    const line = await lineOf('/public/v1/events', {});
    expect(line).toMatchObject({ status: 401, code: 'UNAUTHORIZED', trips: 0 });
    expect(line).not.toHaveProperty('key_id');
  });
});

describe('the log', () => {
  afterEach(() => vi.restoreAllMocks());

  /** All console output of the requests, by the production log. */
  async function consoleDuring(run: (start: typeof startApp) => Promise<void>): Promise<string> {
    const written: unknown[] = [];
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, method).mockImplementation((...line) => void written.push(...line));
    }
    await run((config = testConfig) => startApp(config, buildServices(config)));
    return written
      .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      .join('\n');
  }

  const SECRETS = {
    given_names: 'Canarygiven',
    surnames: 'Canarysurname',
    document: 'CANARYDOC4711',
    email: 'canary@example.test',
    mobile_phone: '+0000canary',
  };

  async function seed() {
    const organizationId = await createOrganization();
    const key = await createKey(organizationId);
    const eventId = await createEvent(organizationId);
    await createRegistrations(eventId, [{ ...SECRETS, bib_number: '17', chip: 'C17' }]);
    return { key, eventId };
  }

  function expectNoSecret(written: string, key: string) {
    const told = written.toLowerCase();
    for (const secret of [...Object.values(SECRETS), 'canary', key]) {
      expect(told).not.toContain(secret.toLowerCase());
    }
  }

  test.each([
    ['refuse', { kind: 'refuse' }],
    ['tear-after', { kind: 'tear-after' }],
    ['garbage', { kind: 'garbage' }],
    ['SQLSTATE 22P02', { kind: 'sqlstate', sqlstate: '22P02' }],
    ['SQLSTATE 57P01', { kind: 'sqlstate', sqlstate: '57P01' }],
  ] as const)('contains no personal data and no key when Postgres fails (%s)', async (_, fault) => {
    const { key, eventId } = await seed();
    const config = await injectFault(testConfig, 'postgres', fault);
    const written = await consoleDuring(async (start) => {
      const { request: ask } = start(config);
      const path = `/public/v1/events/${eventId}/participants/lookup?document=${SECRETS.document}`;
      const response = await ask(path, { headers: withKey(key) });
      expect(response.status).toBeGreaterThanOrEqual(500);
      expectNoSecret(await response.text(), key);
    });
    expect(written).toContain('"level":"error"');
    expectNoSecret(written, key);
  });

  test('contains no personal data and no key when Redis fails', async () => {
    const { key, eventId } = await seed();
    // The wait of the counts of uses.
    shortenWait(1_000, 100);
    const written = await consoleDuring(async (start) => {
      for (const kind of ['refuse', 'garbage'] as const) {
        const { request: ask } = start(await injectFault(testConfig, 'redis', { kind }));
        for (let sent = 0; sent < 3; sent++) {
          await ask(`/public/v1/events/${eventId}/participants`, { headers: withKey(key) });
        }
      }
    });
    expect(written).toContain('"level":"error"');
    expectNoSecret(written, key);
  });
});
