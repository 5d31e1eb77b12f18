import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { db } from '../../testing/factories.ts';
import { startApp, withKey } from '../../testing/harness.ts';
import { type Club, createClub, signSession, withSession } from '../../testing/members.ts';
import { hashApiKey, isWellFormedApiKey } from '../auth/api-key/api-key.ts';
import { apiKeys } from '../db/schema.ts';
import { SCOPES } from '../scopes.ts';
import { CreatedApiKey } from './answer-schemas.ts';
import { LIVE_KEYS_MAX } from './queries.ts';

const { request } = startApp();

const JSON_TYPE = { 'Content-Type': 'application/json' };

const send = ({ path, owner }: Club, body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
  request(path, { method: 'POST', headers: { ...owner.headers, ...headers }, body });

const GOOD = { name: 'Timing crew', scopes: ['events:read', 'results:write'] };

const create = (club: Club, input: unknown) => send(club, JSON.stringify(input));

async function created(response: Response): Promise<CreatedApiKey> {
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${response.status}: ${text}`);
  return CreatedApiKey.strict().parse(JSON.parse(text));
}

const storedKeys = ({ organizationId }: Club) =>
  db.select().from(apiKeys).where(eq(apiKeys.organization_id, organizationId));

describe('createApiKey', () => {
  test('answers the record, the full key and a message to save it', async () => {
    const club = await createClub();
    const response = await create(club, { ...GOOD, expires_at: '2031-05-04T09:30:00.250+02:00' });
    expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    const { id, api_key, message, created_at, ...rest } = await created(response);
    expect(isWellFormedApiKey(api_key)).toBe(true);
    expect(message).toMatch(/save/i);
    expect(rest).toEqual({
      name: 'Timing crew',
      event_id: null,
      key_prefix: api_key.slice(0, 12),
      scopes: ['events:read', 'results:write'],
      last_used_at: null,
      is_active: true,
      expires_at: '2031-05-04T07:30:00.250Z',
      revoked_at: null,
      created_by: club.owner.userId,
    });
    expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(60_000);
    expect((await storedKeys(club)).map((row) => row.id)).toEqual([id]);
  });

  test('stores only the hash and the prefix of a key', async () => {
    const club = await createClub();
    const { api_key } = await created(await create(club, GOOD));
    const [row] = await storedKeys(club);
    expect(row).toMatchObject({
      key_hash: hashApiKey(api_key),
      key_prefix: api_key.slice(0, 12),
    });
    const secret = api_key.slice(12);
    expect(JSON.stringify(row)).not.toContain(secret);
  });

  test('creates a key that works at once, for its scopes only', async () => {
    const { api_key } = await created(await create(await createClub(), GOOD));
    const ask = (path: string) => request(path, { headers: withKey(api_key) });
    expect((await ask('/public/v1/events')).status).toBe(200);
    const stats = await ask(`/public/v1/events/${crypto.randomUUID()}/stats`);
    await expectError(stats, 403, 'INSUFFICIENT_SCOPE');
  });

  test('creates a key that works until it expires', async () => {
    const club = await createClub();
    const soon = new Date(Date.now() + 1_500);
    const { api_key } = await created(await create(club, { ...GOOD, expires_at: soon }));
    const ask = () => request('/public/v1/events', { headers: withKey(api_key) });
    expect((await ask()).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    await expectError(await ask(), 401, 'UNAUTHORIZED');
  });

  test('creates a different key each time', async () => {
    const club = await createClub();
    const keys = await Promise.all([1, 2, 3].map(async () => created(await create(club, GOOD))));
    expect(new Set(keys.map(({ api_key }) => api_key)).size).toBe(3);
    expect(new Set(keys.map(({ id }) => id)).size).toBe(3);
  });

  test('logs neither key nor token nor name', async () => {
    const { request: ask, logged } = startApp();
    const { path, owner } = await createClub();
    const response = await ask(path, {
      method: 'POST',
      headers: { ...owner.headers, ...JSON_TYPE },
      body: JSON.stringify({ ...GOOD, name: 'Somebody Real' }),
    });
    const { api_key } = await created(response);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({
      route: '/api/v1/organizations/:organization_id/api-keys',
      status: 201,
      // The isolate does not know the session yet.
      trips: 2,
    });
    const written = JSON.stringify(logged);
    const token = owner.headers['Authorization']?.slice('Bearer '.length) ?? '-';
    for (const kept of [api_key, token, 'Somebody']) {
      expect(written).not.toContain(kept);
    }
  });

  test.each([
    ['expires_On', '2030-12-31T23:59:59Z'],
    ['is_active', false],
    ['organization_id', crypto.randomUUID()],
  ])('refuses the unknown field %s, and creates nothing', async (field, value) => {
    const club = await createClub();
    const refused = await create(club, { ...GOOD, [field]: value });
    expect(await expectError(refused, 400, 'VALIDATION_ERROR')).toContain(
      `The body has the field "${field}", which this operation does not know. Its fields are name, `,
    );
    expect(await storedKeys(club)).toEqual([]);
  });
});

describe('the name of a new key', () => {
  test.each([
    ['trimmed', '  Timing crew\n', 'Timing crew'],
    ['of one character', 'x', 'x'],
    ['of a hundred', 'ñ'.repeat(100), 'ñ'.repeat(100)],
    ['of a hundred that take two units each', '🏃'.repeat(100), '🏃'.repeat(100)],
    ['of a hundred with blanks around', ` ${'x'.repeat(100)} `, 'x'.repeat(100)],
    ['with quotes', `'; drop table api_keys; --"`, `'; drop table api_keys; --"`],
  ])('may be %s', async (_what, name, stored) => {
    const record = await created(await create(await createClub(), { ...GOOD, name }));
    expect(record.name).toBe(stored);
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['a number', 17],
    ['a list', ['x']],
    ['empty', ''],
    ['blank', ' \t\n\u00a0'],
    ['of 101 characters', 'x'.repeat(101)],
    ['of 101 that take two units each', '🏃'.repeat(101)],
    ['with a NUL', 'a\0b'],
    ['with half a character', 'a\ud83c'],
  ])('may not be %s', async (_what, name) => {
    const club = await createClub();
    const detail = await expectError(
      await create(club, { ...GOOD, name }),
      400,
      'VALIDATION_ERROR',
    );
    expect(detail).toMatch(
      /^name: expected a text of 1 to 100 characters.*(, not |; it is missing)/,
    );
    expect(await storedKeys(club)).toEqual([]);
  });
});

describe('the scopes of a new key', () => {
  test.each(SCOPES.map((scope) => [scope]))('may be %s alone', async (scope) => {
    const record = await created(await create(await createClub(), { ...GOOD, scopes: [scope] }));
    expect(record.scopes).toEqual([scope]);
  });

  test('accepts all scopes in any order', async () => {
    const scopes = [...SCOPES].reverse();
    const record = await created(await create(await createClub(), { ...GOOD, scopes }));
    expect(record.scopes).toEqual(scopes);
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['one text', 'events:read'],
    ['an object', { 0: 'events:read', length: 1 }],
    ['none', []],
    ['one unknown', ['events:write']],
    ['one unknown among known ones', ['events:read', 'admin']],
    ['one in capitals', ['EVENTS:READ']],
    ['one with a blank', ['events:read ']],
    ['one twice', ['events:read', 'stats:read', 'events:read']],
    ['one that is null', ['events:read', null]],
    ['one that is a list', [['events:read']]],
    ['the name of something in every object', ['constructor']],
  ])('may not be %s', async (_what, scopes) => {
    const club = await createClub();
    const refused = await create(club, { ...GOOD, scopes });
    const detail = await expectError(refused, 400, 'VALIDATION_ERROR');
    expect(detail).toMatch(
      /^scopes: expected one or more of events:read, .*each once(, not |; it is missing)/,
    );
    expect(detail.match(/scopes:/g)).toHaveLength(1);
    expect(await storedKeys(club)).toEqual([]);
  });
});

describe('the expiry of a new key', () => {
  const now = new Date('2031-06-01T12:00:00.000Z');
  const { request: requestNow } = startApp(undefined, { now: () => now });
  async function createNow(expires_at: unknown) {
    const { path, owner } = await createClub();
    const session = await signSession({ sub: owner.userId, exp: now.getTime() / 1_000 + 60 });
    return requestNow(path, {
      method: 'POST',
      headers: { ...withSession(session), ...JSON_TYPE },
      body: JSON.stringify({ ...GOOD, expires_at }),
    });
  }

  test.each([
    ['2031-06-01T12:00:00.001Z', '2031-06-01T12:00:00.001Z'],
    ['2031-06-01T14:00:01+02:00', '2031-06-01T12:00:01.000Z'],
    ['2031-06-01T07:00:01-05:00', '2031-06-01T12:00:01.000Z'],
    ['2032-02-29T00:00:00Z', '2032-02-29T00:00:00.000Z'],
    ['2031-12-31T23:59:59.1234567Z', '2031-12-31T23:59:59.123Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2031-06-01T12:01Z', '2031-06-01T12:01:00.000Z'],
    ['2031-06-01t12:00:01z', '2031-06-01T12:00:01.000Z'],
    ['2031-06-01T14:00:01+0200', '2031-06-01T12:00:01.000Z'],
    ['2031-06-01T14:00:01.5+02', '2031-06-01T12:00:01.500Z'],
    ['2031-06-01T07:31-0430', '2031-06-01T12:01:00.000Z'],
    [null, null],
    [undefined, null],
  ])('may be %s', async (expires_at, stored) => {
    expect((await created(await createNow(expires_at))).expires_at).toBe(stored);
  });

  test.each([
    '2031-06-01T12:00:00.000Z',
    '2031-06-01T13:59:59+02:00',
    '2020-01-01T00:00:00Z',
    '2032-01-01',
    '2032-01-01T00:00:00',
    '2032-01-01 00:00:00Z',
    '2032-01-01T00:00:00 +02:00',
    '2032-01-01T00:00:00+2',
    '2032-01-01T00:00:00+020',
    '2032-01-01T00:00:00+02:0',
    '2032-01-01T00Z',
    '2032-01-01T00:00:00,5Z',
    '2032-01-01T0000Z',
    '2032-1-1T00:00Z',
    '2032-01-01T00:60Z',
    '2033-02-29T00:00:00Z',
    '2032-13-01T00:00:00Z',
    '2032-01-01T24:00:01Z',
    '2032-01-01T00:00:00+25:00',
    '2032-01-01T24:00:00Z',
    '20320101T000000Z',
    '2032-001T00:00:00Z',
    '2032-W01-4T00:00:00Z',
    `2032-01-01T00:00:00.${'0'.repeat(100)}Z`,
    '9999-12-31T23:59:59-01:00',
    '+010000-01-01T00:00:00Z',
    'infinity',
    'tomorrow',
    '',
    1_956_528_000,
    1_956_528_000_000,
    true,
    {},
    ['2032-01-01T00:00:00Z'],
  ])('may not be %o', async (expires_at) => {
    const detail = await expectError(await createNow(expires_at), 400, 'VALIDATION_ERROR');
    expect(detail).toMatch(/^expires_at: expected null or an instant in the future, .*, not /);
    expect(detail.match(/expires_at:/g)).toHaveLength(1);
  });
});

describe('the body of createApiKey', () => {
  test('reports every invalid field at once', async () => {
    const refused = await create(await createClub(), { scopes: ['x'], expires_at: 'x' });
    const detail = await expectError(refused, 400, 'VALIDATION_ERROR');
    expect(detail).toMatch(/name: .*scopes: .*not \["x"\].*expires_at: .*not "x"/);
  });

  test.each([
    ['nothing', ''],
    ['half of it', '{"name":"x","scopes":["events:read"]'],
    ['no JSON', 'name=x'],
    ['null', 'null'],
    ['a list', '[{"name":"x","scopes":["events:read"]}]'],
    ['a text', '"x"'],
    ['what is no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ])('may not be %s', async (_what, body) => {
    const club = await createClub();
    await expectError(await send(club, body), 400, 'VALIDATION_ERROR');
    expect(await storedKeys(club)).toEqual([]);
  });

  test.each(['', 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonx'])(
    'refuses the content type %o',
    async (type) => {
      const club = await createClub();
      const refused = await send(club, JSON.stringify(GOOD), { 'Content-Type': type });
      const detail = await expectError(refused, 400, 'VALIDATION_ERROR');
      expect(detail).toContain('application/json');
      expect(await storedKeys(club)).toEqual([]);
    },
  );

  test('accepts a charset and a byte order mark', async () => {
    const type = { 'Content-Type': 'Application/JSON; charset=utf-8' };
    await created(await send(await createClub(), `\ufeff${JSON.stringify(GOOD)}`, type));
  });

  test('accepts 64 KiB and refuses one byte more', async () => {
    const club = await createClub();
    const padded = (length: number) => JSON.stringify(GOOD).padEnd(length);
    await created(await send(club, padded(65_536)));
    const detail = await expectError(await send(club, padded(65_537)), 413, 'VALIDATION_ERROR');
    expect(detail).toContain('64 KiB');
    expect(await storedKeys(club)).toHaveLength(1);
  });

  test('refuses deep nesting without failing', async () => {
    const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    for (const field of ['name', 'scopes', 'expires_at', 'other']) {
      const body = `{"name":"x","scopes":["x"],"${field}":${nested}}`;
      await expectError(await send(await createClub(), body), 400, 'VALIDATION_ERROR');
    }
  });
});

describe('createApiKey with arbitrary input', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 110 }),
    fc.string({ unit: 'binary', maxLength: 110 }),
    fc.string({ unit: fc.constantFrom('\0', '\ud800', '\udc00', ' ', '🏃', 'x'), maxLength: 6 }),
  );
  const instant = fc
    .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const input = fc.record(
    {
      name: fc.oneof({ weight: 4, arbitrary: text }, fc.jsonValue()),
      scopes: fc.oneof(
        { weight: 4, arbitrary: fc.subarray([...SCOPES]) },
        fc.array(fc.constantFrom<unknown>(...SCOPES, 'x', null), { maxLength: 4 }),
        fc.jsonValue(),
      ),
      expires_at: fc.oneof(fc.constant(null), instant, text, fc.jsonValue()),
    },
    { requiredKeys: [] },
  );

  function isGood(sent: { name?: unknown; scopes?: unknown; expires_at?: unknown }): boolean {
    const { name, scopes, expires_at: expiry = null } = sent;
    if (typeof name !== 'string' || /[\0\p{Surrogate}]/u.test(name)) return false;
    const length = Array.from(name.trim()).length;
    if (length === 0 || length > 100) return false;
    const known: readonly unknown[] = SCOPES;
    if (!Array.isArray(scopes) || scopes.length === 0) return false;
    if (scopes.some((scope) => !known.includes(scope))) return false;
    if (new Set(scopes).size < scopes.length) return false;
    if (expiry === null) return true;
    if (typeof expiry !== 'string' || !/^\d{4}-\d\d-\d\dT.*Z$/.test(expiry)) return false;
    return Date.parse(expiry) > Date.now();
  }

  test('creates the key as requested, or answers a reason and creates nothing', async () => {
    const club = await createClub();
    let made = 0;
    const sent = fc.asyncProperty(input, async (body) => {
      const response = await create(club, body);
      if (isGood(body)) {
        const { name, scopes, expires_at } = await created(response);
        expect(name).toBe(String(body.name).trim());
        expect(scopes).toEqual(body.scopes);
        expect(expires_at).toBe(body.expires_at ?? null);
        made += 1;
      } else {
        await expectError(response, 400, 'VALIDATION_ERROR');
      }
    });
    await fc.assert(sent, { numRuns: 100 });
    expect(made).toBeGreaterThan(0);
    expect(await storedKeys(club)).toHaveLength(made);
  });
});

describe('the live keys of an organization', () => {
  const fill = (organizationId: string, count: number) =>
    db.insert(apiKeys).values(
      Array.from({ length: count }, () => ({
        organization_id: organizationId,
        name: 'Kept',
        key_prefix: 'er_live_0000',
        key_hash: crypto.randomUUID().replaceAll('-', '').repeat(2),
        scopes: ['events:read' as const],
      })),
    );

  test('are at most 100, also if several are created at once', async () => {
    const club = await createClub();
    await fill(club.organizationId, LIVE_KEYS_MAX - 2);
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(club, GOOD)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400);
    if (!refused) throw new Error('No key was refused.');
    expect(await expectError(refused, 400, 'VALIDATION_ERROR')).toBe(
      'The organization has 100 live API keys, the most that it may have. Revoke one that is not used.',
    );
    expect(await storedKeys(club)).toHaveLength(LIVE_KEYS_MAX);
  });

  test('do not include revoked and expired ones, nor those of another organization', async () => {
    const [club, other] = await Promise.all([createClub(), createClub()]);
    await Promise.all(
      [club, other].map(({ organizationId }) => fill(organizationId, LIVE_KEYS_MAX)),
    );
    const [first, second] = await storedKeys(club);
    await expectError(await create(club, GOOD), 400, 'VALIDATION_ERROR');
    for (const [id, change] of [
      [first?.id ?? '', { revoked_at: new Date() }],
      [second?.id ?? '', { expires_at: new Date(Date.now() - 1_000) }],
    ] as const) {
      await db.update(apiKeys).set(change).where(eq(apiKeys.id, id));
      await created(await create(club, GOOD));
      await expectError(await create(club, GOOD), 400, 'VALIDATION_ERROR');
    }
  });
});
