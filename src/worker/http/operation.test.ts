import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createKey, createOrganization, createRace } from '../../testing/factories.ts';
import { injectFault, withoutServices } from '../../testing/faults.ts';
import { startApp, testConfig, withKey } from '../../testing/harness.ts';
import { shortenWait } from '../../testing/short-waits.ts';
import type { Database } from '../db/client.ts';
import { createReadiness, MIGRATIONS } from '../health/readiness.ts';
import { buildServices } from '../services.ts';
import { REQUEST_ID_MAX } from './middleware.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const { request } = startApp();

/** An app in which a handler that asks for the time breaks; the code around the handler gets a time. */
function startBroken(bug: () => never) {
  let asked = 0;
  return startApp({ ...testConfig }, { now: () => (++asked === 2 ? bug() : new Date()) });
}

describe('a 404 says what is right', () => {
  test.each([
    ['PUT', '/public/v1/events', 'This path has no PUT. Its methods: GET, HEAD.', 'GET, HEAD'],
    [
      'PATCH',
      '/public/v1/events/1/results/17',
      'This path has no PATCH. Its methods: DELETE, GET, HEAD.',
      'DELETE, GET, HEAD',
    ],
    ['GET', '/public/v1/events/1/results/', 'Ask for /public/v1/events/1/results.', null],
    ['POST', '/public/v1/events//', 'Ask for /public/v1/events.', null],
    ['GET', '/public/v1/events//results', 'No operation has this method and path.', null],
    ['GET', `/${'a/'.repeat(500)}`, 'No operation has this method and path.', null],
  ])('%s %s', async (method, path, said, allowed) => {
    const answer = await request(path, { method });
    expect(answer.headers.get('Allow')).toBe(allowed);
    expect(await expectError(answer, 404, 'NOT_FOUND')).toContain(said);
  });
});

describe('an unknown method or path', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/public'],
    ['GET', '/public/v1'],
    ['GET', '/public/v1/'],
    ['GET', '/public/v1/registrations'],
    ['GET', '/public/v2/events'],
    ['GET', '/public/v1/events/'],
    ['GET', '/public/v1/Events'],
    ['GET', '/public/v1/events/00000000-0000-4000-8000-000000000000/participants/1/2'],
    ['POST', '/public/v1/events'],
    ['PUT', '/public/v1/events/00000000-0000-4000-8000-000000000000'],
    ['PATCH', '/public/v1/events/00000000-0000-4000-8000-000000000000'],
    ['DELETE', '/public/v1/events/00000000-0000-4000-8000-000000000000'],
    ['DELETE', '/public/v1/events/00000000-0000-4000-8000-000000000000/results'],
    ['OPTIONS', '/public/v1/events'],
    ['POST', '/healthz'],
  ])('answers 404 with and without a key (%s %s)', async (method, path) => {
    const key = await createKey(await createOrganization());
    for (const headers of [{}, withKey(key)]) {
      await expectError(await request(path, { method, headers }), 404, 'NOT_FOUND');
    }
  });
});

describe('every answer', () => {
  async function anAnswerOfEachKind(headers: Record<string, string>) {
    const { key, path } = await createRace();
    const keyed = { headers: { ...withKey(key), ...headers } };
    const broken = startBroken(() => {
      throw new Error('bug');
    });
    const away = startApp(withoutServices(testConfig, 'postgres'));
    return [
      await request(path, keyed),
      await request(`${path}/participants?page=0`, keyed),
      await request(path, { headers }),
      await request('/nothing', { headers }),
      await request(path, { method: 'PUT', headers }),
      await request('/healthz', { headers }),
      await broken.request(path, keyed),
      await away.request(path, keyed),
    ];
  }
  const STATUSES = [200, 400, 401, 404, 404, 200, 500, 503];

  test('has its own request id, forbids caching and sniffing, and keeps browsers on https', async () => {
    const answers = await anAnswerOfEachKind({});
    expect(answers.map(({ status }) => status)).toEqual(STATUSES);
    const [read, ...others] = answers.map(({ headers }) => headers.get('Cache-Control'));
    expect(read).toBe('private, no-cache');
    for (const caching of others) expect(caching).toBe('private, no-store');
    const ids = answers.map(({ headers }) => headers.get('X-Request-Id') ?? '');
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,}$/);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { headers } of answers) {
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
    }
  });

  test('repeats the request id that the client sent', async () => {
    const longest = 'timing-mat_7'.padEnd(REQUEST_ID_MAX, '=');
    const answers = await anAnswerOfEachKind({ 'X-Request-Id': longest });
    expect(answers.map(({ status }) => status)).toEqual(STATUSES);
    for (const { headers } of answers) expect(headers.get('X-Request-Id')).toBe(longest);
  });

  test.each([
    ['too long', 'x'.repeat(REQUEST_ID_MAX + 1)],
    ['of other characters', '{"a":"<b>"}'],
  ])('replaces a request id that is %s', async (_, sent) => {
    const answer = await request('/healthz', { headers: { 'X-Request-Id': sent } });
    expect(answer.headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/);
  });

  test('allows no web page to call the API', async () => {
    const answers = await anAnswerOfEachKind({ Origin: 'https://club.example' });
    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('a bug', () => {
  test('answers 500 with the request id and no detail', async () => {
    const { key, path } = await createRace();
    const broken = startBroken(() => {
      throw new TypeError('secret detail 4711');
    });
    const headers = { ...withKey(key), 'X-Request-Id': 'lap-500' };
    const response = await broken.request(path, { headers });
    const detail = await expectError(response, 500, 'INTERNAL_ERROR');
    expect(detail).toContain('lap-500');
    expect(detail).not.toContain('4711');
    expect(response.headers.get('Retry-After')).toBeNull();
    expect(broken.logged).toMatchObject([
      { level: 'error', request_id: 'lap-500', error: expect.stringContaining('4711') },
      { level: 'info', request_id: 'lap-500', status: 500 },
    ]);
  });

  test('answers 500 for a refused statement', async () => {
    const { key, path } = await createRace();
    const app = startApp(
      await injectFault(testConfig, 'postgres', { kind: 'sqlstate', sqlstate: '42601' }),
    );
    const response = await app.request(path, { headers: withKey(key) });
    expect(await expectError(response, 500, 'INTERNAL_ERROR')).not.toContain('42601');
    expect(app.logged[0]).toMatchObject({
      level: 'error',
      error: expect.stringContaining('SQLSTATE 42601'),
    });
  });
});

describe('a Postgres failure', () => {
  const READS = ['', '/participants', '/participants/lookup?bib=1', '/stats'];

  async function expectUnavailable(config: typeof testConfig): Promise<void> {
    const { key, path } = await createRace({ bibs: ['1'] });
    const app = startApp(config);
    for (const target of ['/public/v1/events', ...READS.map((read) => path + read)]) {
      const response = await app.request(target, { headers: withKey(key) });
      const detail = await expectError(response, 503, 'SERVICE_UNAVAILABLE');
      expect(detail).toContain(response.headers.get('X-Request-Id') ?? 'an id');
      expect(response.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
    }
    // Each is asked once, and said once beside the request's own line.
    const lines = app.logged
      // A busy machine may answer for Redis too late.
      .filter(({ message }) => !/rate limit/.test(String(message)))
      .map(({ level, trips }) => ({ level, trips }));
    const ofOne = [{ level: 'error' }, { level: 'info', trips: 1 }];
    expect(lines).toEqual(
      Array(1 + READS.length)
        .fill(ofOne)
        .flat(),
    );
  }

  test('answers 503 with Retry-After if Postgres is unreachable', () =>
    expectUnavailable(withoutServices(testConfig, 'postgres')));

  test.each(['refuse', 'tear-before', 'tear-after', 'garbage'] as const)(
    'answers 503 with Retry-After if the answer is lost (%s)',
    async (kind) => expectUnavailable(await injectFault(testConfig, 'postgres', { kind })),
  );

  test.each(['08006', '53300', '57P01', '57P03', '58000', '40001', '40P01'])(
    'answers 503 with Retry-After for a temporary failure (SQLSTATE %s)',
    async (sqlstate) =>
      expectUnavailable(await injectFault(testConfig, 'postgres', { kind: 'sqlstate', sqlstate })),
  );

  test.each([
    ['40001', 1],
    ['40P01', 2],
  ])(
    'repeats a transaction that Postgres rolled back (SQLSTATE %s, %i times)',
    async (sqlstate, times) => {
      const { key, eventId, path } = await createRace();
      const fault = { kind: 'sqlstate', sqlstate, times } as const;
      const app = startApp(await injectFault(testConfig, 'postgres', fault));
      const response = await app.request(path, { headers: withKey(key) });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ id: eventId });
    },
  );

  test('repeats no transaction whose answer was lost', async () => {
    const { key, path } = await createRace();
    for (const kind of ['tear-after', 'garbage'] as const) {
      const app = startApp(await injectFault(testConfig, 'postgres', { kind, times: 1 }));
      expect((await app.request(path, { headers: withKey(key) })).status).toBe(503);
      expect((await app.request(path, { headers: withKey(key) })).status).toBe(200);
    }
  });
});

describe('/healthz', () => {
  test('answers 200 without a trip', async () => {
    const alone = startApp(withoutServices(testConfig, 'postgres', 'redis'));
    const response = await alone.request('/healthz');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
  });
});

describe('/readyz', () => {
  test('answers 200 if Postgres and Redis answer', async () => {
    const response = await request('/readyz');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
  });

  test('probes once for all who ask in two seconds', async () => {
    let probes = 0;
    const db: Database = async () => {
      probes += 1;
      return [{ rows: [{ missing: [], array_nulls: 'on', read_only: 'off' }] }];
    };
    const readiness = createReadiness(db, () => Promise.resolve());
    const app = startApp(testConfig, { readiness });
    await Promise.all(Array.from({ length: 20 }, () => app.request('/readyz')));
    await app.request('/readyz');
    expect(probes).toBe(1);
    vi.setSystemTime(Date.now() + 2_000);
    await app.request('/readyz');
    expect(probes).toBe(2);
  });

  test.each([
    ['Postgres', ['postgres']],
    ['Redis', ['redis']],
    ['Postgres and Redis', ['postgres', 'redis']],
  ] as const)('answers 503 and names %s if unreachable', async (_, services) => {
    const app = startApp(withoutServices(testConfig, ...services));
    const response = await app.request('/readyz');
    const detail = await expectError(response, 503, 'SERVICE_UNAVAILABLE');
    const names = { postgres: 'Postgres', redis: 'Redis' };
    expect(detail).toContain(services.map((name) => `No answer from ${names[name]}.`).join(' '));
    expect(response.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
  });

  test.each([
    [
      'a migration that was not applied',
      { missing: ['9998_b', '9999_c'], array_nulls: 'on', read_only: 'off' },
      'The database lacks migrations: 9998_b, 9999_c.',
    ],
    [
      'array_nulls=off',
      { missing: [], array_nulls: 'off', read_only: 'off' },
      /^The database has array_nulls=off/,
    ],
  ])('answers 503 and names %s', async (_, row, told) => {
    const readiness = createReadiness(
      async () => [{ rows: [row] }],
      () => Promise.resolve(),
    );
    const response = await startApp(testConfig, { readiness }).request('/readyz');
    const detail = await expectError(response, 503, 'SERVICE_UNAVAILABLE');
    expect(detail).toMatch(told);
  });

  test('asks the database for each migration, and for its array_nulls', async () => {
    const own = buildServices(testConfig);
    const asking = (change: string) =>
      createReadiness(
        (queries, ...rest) =>
          own.db(
            queries.map((query) => ({
              sql: query.sql.replace("current_setting('array_nulls')", change),
              params: query.params.map((names) =>
                JSON.stringify([...JSON.parse(String(names)), '9999_newer']),
              ),
            })),
            ...rest,
          ),
        () => Promise.resolve(),
      )();
    expect(MIGRATIONS).toContain('0000_baseline');
    expect(await asking("set_config('array_nulls', 'off', true)")).toEqual([
      { reason: 'The database lacks migrations: 9999_newer.' },
      { reason: expect.stringContaining('array_nulls=off') },
    ]);
  });

  test('answers 503 for a read-only database, which refuses uploads', async () => {
    const own = buildServices(testConfig);
    const readOnly = { sql: 'set transaction read only', params: [] };
    const readiness = createReadiness(
      async (queries, ...rest) => (await own.db([readOnly, ...queries], ...rest)).slice(1),
      () => Promise.resolve(),
    );
    const response = await startApp(testConfig, { readiness }).request('/readyz');
    expect(await expectError(response, 503, 'SERVICE_UNAVAILABLE')).toMatch(/read-only/);
  });

  test.each([
    ['Postgres', 'postgres', { kind: 'garbage' }],
    ['Postgres', 'postgres', { kind: 'sqlstate', sqlstate: '57P03' }],
    ['Redis', 'redis', { kind: 'garbage' }],
    ['Postgres', 'postgres', { kind: 'delay', ms: 2_000 }],
    ['Redis', 'redis', { kind: 'delay', ms: 2_000 }],
  ] as const)('answers 503 in time if %s misbehaves (%s, %o)', async (name, service, fault) => {
    const app = startApp(await injectFault(testConfig, service, fault));
    shortenWait(3_000, 300);
    const startedAt = performance.now();
    const response = await app.request('/readyz');
    const detail = await expectError(response, 503, 'SERVICE_UNAVAILABLE');
    expect(detail).toMatch(new RegExp(`from ${name}\\.`));
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });
});

describe('a hostile request', () => {
  const EVENT = '/public/v1/events';
  const LOOKUP = `${EVENT}/:event_id/participants/lookup`;

  test.each([
    [`${EVENT}/%`, 404],
    [`${EVENT}/%zz`, 404],
    [`${EVENT}/%c3%28`, 404],
    [`${EVENT}/%00`, 404],
    [`${EVENT}/:event_id%00`, 404],
    [`${EVENT}/:event_id%0a`, 404],
    [`${EVENT}/{:event_id}`, 404],
    [`${EVENT}/%ED%A0%80`, 404],
    [`${EVENT}/${encodeURIComponent('賽跑🏃')}`, 404],
    [`${EVENT}/${'a'.repeat(8_000)}`, 404],
    [`${EVENT}/..%2f..%2fhealthz`, 404],
    [`${EVENT}/:event_id/participants%00`, 404],
    [`${EVENT}/:event_id/stats/%ff`, 404],
    [`${EVENT}?page=%`, 400],
    [`${EVENT}?page=%00`, 400],
    [`${EVENT}?page[]=1&__proto__=1&constructor=2`, 200],
    [`${EVENT}?${'a=1&'.repeat(2_000)}`, 200],
    [`${LOOKUP}?bib=%00`, 400],
    [`${LOOKUP}?bib=1%00`, 400],
    [`${LOOKUP}?chip=%00&bib=1`, 400],
    [`${LOOKUP}?document=a%00b`, 400],
    [`${LOOKUP}?bib=%`, 200],
    [`${LOOKUP}?bib=%ff%fe`, 200],
    [`${LOOKUP}?bib=%ED%A0%80`, 200],
    [`${LOOKUP}?document=${encodeURIComponent("'; drop table events; --")}`, 200],
    [`${LOOKUP}?document=${encodeURIComponent('賽跑🏃\u202e\ufeff')}`, 200],
    [`${LOOKUP}?document=${'9'.repeat(8_000)}`, 200],
    [`${LOOKUP}?bib=\\&chip=%5C%22`, 200],
  ])('never causes a 5xx (%s → %i)', async (target, status) => {
    const { key, eventId } = await createRace();
    const path = target.replace(':event_id', eventId);
    const response = await request(path, { headers: withKey(key) });
    expect(response.status).toBe(status);
  });

  test.each([
    ['a key of 16 000 characters', { 'X-API-Key': 'er_live_'.repeat(2_000) }],
    ['two bearer tokens', { Authorization: 'Bearer er_live_1, Bearer er_live_2' }],
    ['an object for a key', { Authorization: 'Bearer {"$gt":""}' }],
  ])('never causes a 5xx (%s)', async (_, headers) => {
    await expectError(await request(EVENT, { headers }), 401, 'UNAUTHORIZED');
  });
});
