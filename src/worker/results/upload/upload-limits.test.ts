import { createExecutionContext } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { createKey, createRace } from '../../../testing/factories.ts';
import { startApp, startLimitedApp, testConfig, withKey } from '../../../testing/harness.ts';
import { createClub } from '../../../testing/members.ts';
import {
  answered,
  bodyOf,
  bytesOf,
  filePart,
  form,
  postForm,
  postJson,
  storedBatches,
  textPart,
} from '../../../testing/uploads.ts';
import { generateApiKey } from '../../auth/api-key/api-key.ts';
import { createGate, type Gate } from '../../gate/gate.ts';
import { createLeases } from '../../gate/leases.ts';
import { JSON_VALUES_MAX } from '../../http/json-text.ts';
import { ANSWER_BUDGET_MS } from '../../http/text-stream.ts';

const MIB = 1_024 * 1_024;

const JSON_BODY = bytesOf(['{"results":[{"bib_number":"7","chip_time":"20:00"}]}']);
const CSV_BODY = form([filePart('bib,time\n7,20:00\n')]);

const uploads = [
  ['JSON', postJson, JSON_BODY, 2 * JSON_BODY.length],
  ['CSV', postForm, CSV_BODY, CSV_BODY.length],
] as const;

const withLimits = (limits: Partial<Gate>) =>
  startApp(testConfig, { gate: { ...createGate(), ...limits } }).request;

const budgetOf = (total: number) => createLeases({ total });

/** Room for small bodies, and none for small bodies beyond. */
const roomFor = (bytes: number) => ({ small: budgetOf(bytes), large: budgetOf(0) });

const announced = (body: Uint8Array) => ({ 'Content-Length': String(body.length) });

/** A body that stops half way. A call lets the body go on. */
function heldBody(body: Uint8Array) {
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  async function* pieces() {
    yield body.subarray(0, body.length / 2);
    hold();
    await goesOn;
    yield body.subarray(body.length / 2);
  }
  return { body: bodyOf(pieces()), isHeld, goOn };
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a body of a refused key', () => {
  const refused = async () => {
    const race = await createRace({ bibs: ['7'] });
    return [
      [generateApiKey(), 401, 'UNAUTHORIZED'],
      [await createKey(race.organizationId, { revoked_at: new Date() }), 401, 'UNAUTHORIZED'],
      [
        await createKey(race.organizationId, { scopes: ['events:read'] }),
        403,
        'INSUFFICIENT_SCOPE',
      ],
    ] as const;
  };

  test('parses no JSON of a refused key', async () => {
    const race = await createRace({ bibs: ['7'] });
    const parse = vi.spyOn(JSON, 'parse');
    for (const [key, status, code] of await refused()) {
      await expectError(await postJson({ ...race, key }, JSON_BODY), status, code);
    }
    const isBody = (text: unknown) => String(text).startsWith('{"results"');
    expect(parse.mock.calls.filter(([text]) => isBody(text))).toEqual([]);
    await postJson(race, JSON_BODY);
    expect(parse.mock.calls.filter(([text]) => isBody(text))).toHaveLength(1);
  });

  test('parses no CSV of a refused key', async () => {
    const race = await createRace({ bibs: ['7'] });
    const decode = vi.spyOn(TextDecoder.prototype, 'decode');
    const decoded = () =>
      decode.mock.results.filter(({ value }) => String(value).startsWith('bib,time')).length;
    for (const [key, status, code] of await refused()) {
      await expectError(await postForm({ ...race, key }, CSV_BODY), status, code);
    }
    expect(decoded()).toBe(0);
    await postForm(race, CSV_BODY);
    expect(decoded()).toBeGreaterThan(0);
  });

  test('costs its bytes alone, whatever it would be when it is parsed', async () => {
    const race = await createRace();
    const body = bytesOf(['{"results":[', '['.repeat(4_000_000)]);
    const key = generateApiKey();
    await expectError(await postJson({ ...race, key }, body), 401, 'UNAUTHORIZED');
  });

  test('takes no room of accepted uploads', async () => {
    const race = await createRace({ bibs: ['7'] });
    const send = withLimits(roomFor(2 * JSON_BODY.length));
    const held = heldBody(JSON_BODY);
    const refusal = postJson({ ...race, key: generateApiKey() }, held.body, { send });
    await held.isHeld;
    expect(await answered(await postJson(race, JSON_BODY, { send }))).toMatchObject({
      uploaded: 1,
    });
    held.goOn();
    await expectError(await refusal, 401, 'UNAUTHORIZED');
  });
});

describe('a JSON body', () => {
  test.each([
    ['of four million open brackets', `{"results":[${'['.repeat(4_000_000)}`, /deeper than 20/],
    ['of flat brackets', `{"results":[${'[],'.repeat(2_700_000)}[]]}`, /more than \d+ members/],
    [
      'of too many values',
      `{"results":[${Array(Math.ceil(JSON_VALUES_MAX / 9_000)).fill(`[${Array(9_000).fill(1)}]`)}]}`,
      /more than \d+ values/,
    ],
    [
      'of a row that is nested too deep',
      `{"results":[{"bib_number":"7","status":"DNS","x":${'['.repeat(18)}${']'.repeat(18)}}]}`,
      /deeper than 20 levels at byte/,
    ],
  ])('refuses, before it parses it, a JSON body: %s', async (_what, text, detail) => {
    const race = await createRace({ bibs: ['7'] });
    const parse = vi.spyOn(JSON, 'parse');
    const response = await postJson(race, text);
    const bodies = parse.mock.calls.filter(([parsed]) => String(parsed).startsWith('{"results"'));
    expect(bodies).toEqual([]);
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(detail);
    expect(await storedBatches(race.eventId)).toEqual([]);
  });

  test('reads a JSON body of 20 levels', async () => {
    const race = await createRace({ bibs: ['7'] });
    const deep = `{"results":[{"bib_number":"7","status":"DNS","x":${'['.repeat(17)}${']'.repeat(17)}}]}`;
    expect(await answered(await postJson(race, deep))).toMatchObject({ uploaded: 1 });
  });

  test('refuses a body of the panel that is nested too deep', async () => {
    const { owner, path } = await createClub();
    const { request } = startApp();
    const response = await request(path, {
      method: 'POST',
      headers: { ...owner.headers, 'Content-Type': 'application/json' },
      body: `{"name":${'['.repeat(30_000)}`,
    });
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(/deeper than 20/);
  });
});

describe.each(uploads)('an upload as %s', (_format, post, body, room) => {
  test.each(['gzip', 'br', 'identity, gzip'])(
    'is refused if it is compressed with %s',
    async (encoding) => {
      const race = await createRace({ bibs: ['7'] });
      const response = await post(race, body, { headers: { 'Content-Encoding': encoding } });
      expect(await expectError(response, 400, 'VALIDATION_ERROR')).toBe(
        `The Content-Encoding is "${encoding}"; send the body uncompressed.`,
      );
      expect(await storedBatches(race.eventId)).toEqual([]);
    },
  );

  test('reads an upload with the Content-Encoding identity', async () => {
    const race = await createRace({ bibs: ['7'] });
    const response = await post(race, body, { headers: { 'Content-Encoding': 'identity' } });
    expect(await answered(response)).toMatchObject({ uploaded: 1 });
  });

  test('answers 503 while the isolate is busy, after 401 and 403 and before 404', async () => {
    const race = await createRace({ bibs: ['7'] });
    const send = withLimits(roomFor(0));
    const response = await post(race, body, { send });
    expect(response.headers.get('Retry-After')).toBe('5');
    expect(await expectError(response, 503, 'SERVICE_UNAVAILABLE')).toMatch(
      /^Other uploads are being read\. Try again\./,
    );
    const path = `/public/v1/events/${crypto.randomUUID()}`;
    await expectError(await post({ ...race, path }, body, { send }), 503, 'SERVICE_UNAVAILABLE');
    await expectError(
      await post({ ...race, key: generateApiKey() }, body, { send }),
      401,
      'UNAUTHORIZED',
    );
    const key = await createKey(race.organizationId, { scopes: ['events:read'] });
    await expectError(await post({ ...race, key }, body, { send }), 403, 'INSUFFICIENT_SCOPE');
    expect(await storedBatches(race.eventId)).toEqual([]);
  });

  test('refuses an upload that is too large or of another type, also while the isolate is busy', async () => {
    const race = await createRace({ bibs: ['7'] });
    const send = withLimits(roomFor(0));
    const headers = { 'Content-Length': String(16 * MIB + 1) };
    await expectError(await post(race, body, { send, headers }), 413, 'VALIDATION_ERROR');
    const type = 'text/plain';
    await expectError(await post(race, body, { send, type }), 400, 'VALIDATION_ERROR');
  });

  test('takes room for what has arrived, and gives it back', async () => {
    const [race, otherRace] = [
      await createRace({ bibs: ['7'] }),
      await createRace({ bibs: ['7'] }),
    ];
    const send = withLimits(roomFor(room));
    const held = heldBody(body);
    const first = post(race, held.body, { send });
    await held.isHeld;
    await expectError(await post(otherRace, body, { send }), 503, 'SERVICE_UNAVAILABLE');
    held.goOn();
    expect(await answered(await first)).toMatchObject({ uploaded: 1 });
    expect(await answered(await post(otherRace, body, { send }))).toMatchObject({ uploaded: 1 });
  });

  test('takes no room for what it only announces', async () => {
    const race = await createRace({ bibs: ['7'] });
    const otherRace = await createRace({ bibs: ['7'] });
    const send = withLimits(roomFor(room));
    const silent = bodyOf(
      (async function* () {
        await new Promise(() => {});
        yield body;
      })(),
    );
    void post(race, silent, { send, headers: announced(body) });
    expect(await answered(await post(otherRace, body, { send }))).toMatchObject({ uploaded: 1 });
  });

  test('gives its room back whatever becomes of it', async () => {
    const race = await createRace({ bibs: ['7'] });
    const send = withLimits(roomFor(room));
    const headers = announced(body);
    const torn = async function* () {
      yield body.subarray(0, 10);
      throw new Error('the line went dead');
    };
    const broken = [
      await post(race, body.toReversed(), { send, headers }),
      await post(race, bodyOf(torn()), { send, headers }),
      await post({ ...race, path: `/public/v1/events/${crypto.randomUUID()}` }, body, {
        send,
        headers,
      }),
    ];
    expect(broken.map(({ status }) => status)).toEqual([400, 400, 404]);
    expect(await answered(await post(race, body, { send, headers }))).toMatchObject({
      uploaded: 1,
    });
  });

  test('refuses an upload that comes too slowly, and frees its room', async () => {
    const race = await createRace({ bibs: ['7'] });
    const pace = { graceMs: 30, bytesPerSecond: 32_768 };
    const send = withLimits({ ...roomFor(room), pace });
    const headers = announced(body);
    const response = await post(race, heldBody(body).body, { send, headers });
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toBe(
      'The body comes too slowly: after the first 0.03 seconds, at least 32 KiB a second are ' +
        'expected. Send it in parts.',
    );
    expect(await storedBatches(race.eventId)).toEqual([]);
    expect(await answered(await post(race, body, { send, headers }))).toMatchObject({
      uploaded: 1,
    });
  });

  test('does not wait for a slow upload of a refused key', async () => {
    const race = await createRace();
    const send = withLimits({ pace: { graceMs: 30, bytesPerSecond: 32_768 } });
    const slow = heldBody(body).body;
    await expectError(
      await post({ ...race, key: generateApiKey() }, slow, { send }),
      401,
      'UNAUTHORIZED',
    );
  });

  test('accepts a slow upload whose parts come in time', async () => {
    const race = await createRace({ bibs: ['7'] });
    // Each byte allows for half a second more.
    const send = withLimits({ pace: { graceMs: 5_000, bytesPerSecond: 2 } });
    const pieces = async function* () {
      for (const byte of body) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        yield Uint8Array.of(byte);
      }
    };
    expect(await answered(await post(race, bodyOf(pieces()), { send }))).toMatchObject({
      uploaded: 1,
    });
  });
});

describe('the room of an upload with rows that fail', () => {
  const rows = Array.from({ length: 2_000 }, () => ({ bib_number: '7', time: 'x'.repeat(200) }));
  const body = bytesOf([JSON.stringify({ results: rows })]);
  const nextBody = bytesOf([JSON_BODY, ' '.repeat(300 * 1_024)]);

  afterEach(() => void vi.useRealTimers());

  async function startFailing() {
    // Uploads of one organization would also wait for its turn.
    const [race, next] = [await createRace({ bibs: ['7'] }), await createRace({ bibs: ['7'] })];
    const limits = { ...createGate(), large: budgetOf(2 * body.length) };
    const { app, request: send } = startApp(testConfig, { gate: limits });
    const path = `http://api.test${race.path}/results`;
    const headers = { ...withKey(race.key), 'Content-Type': 'application/json' };
    const response = await app.fetch(
      new Request(path, { method: 'POST', headers, body }),
      {},
      createExecutionContext(),
    );
    return { response, sendNext: () => postJson(next, nextBody, { send }) };
  }

  test('holds the room of an upload until its answer is read', async () => {
    const { response, sendNext } = await startFailing();
    await expectError(await sendNext(), 503, 'SERVICE_UNAVAILABLE');
    expect(await answered(response)).toMatchObject({ errors: 2_000 });
    expect(await answered(await sendNext())).toMatchObject({ uploaded: 1 });
  });

  test('frees the room when the client goes away', async () => {
    const { response, sendNext } = await startFailing();
    await response.body?.cancel();
    expect(await answered(await sendNext())).toMatchObject({ uploaded: 1 });
  });

  test('frees the room after two minutes in which the client reads nothing', async () => {
    // Real time passes too, in which the rows are read step by step.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { response, sendNext } = await startFailing();
    vi.advanceTimersByTime(ANSWER_BUDGET_MS / 2);
    await expectError(await sendNext(), 503, 'SERVICE_UNAVAILABLE');
    vi.advanceTimersByTime(ANSWER_BUDGET_MS / 2);
    expect(await answered(await sendNext())).toMatchObject({ uploaded: 1 });
    await expect(response.text()).rejects.toThrow('reads its answer too slowly');
  });
});

test('holds no room for a short answer, whether or not the client reads it', async () => {
  const race = await createRace({ bibs: ['7'] });
  const limits = { ...createGate(), ...roomFor(2 * JSON_BODY.length) };
  const { app, request: send } = startApp(testConfig, { gate: limits });
  const headers = { ...withKey(race.key), 'Content-Type': 'application/json' };
  const url = `http://api.test${race.path}/results`;
  const unread = await app.fetch(
    new Request(url, { method: 'POST', headers, body: JSON_BODY }),
    {},
    createExecutionContext(),
  );
  expect(unread.status).toBe(200);
  expect(await answered(await postJson(race, JSON_BODY, { send }))).toMatchObject({ updated: 1 });
  await unread.body?.cancel();
});

test('gives a small upload memory of the larger ones when the small ones are full', async () => {
  const race = await createRace();
  const send = withLimits({ small: budgetOf(0), large: budgetOf(2 * JSON_BODY.length) });
  for (let sent = 0; sent < 2; sent++) {
    expect((await postJson(race, JSON_BODY, { send })).status).toBe(200);
  }
});

test('serves a small upload beside a large one that fills the isolate', async () => {
  const race = await createRace({ bibs: ['7'] });
  const otherRace = await createRace({ bibs: ['7'] });
  const send = withLimits({ large: budgetOf(MIB) });
  const padding = textPart('padding', new Uint8Array(0.9 * MIB));
  const large = form([filePart('bib,time\n7,20:00\n'), padding]);
  const held = heldBody(large);
  const first = postForm(race, held.body, { send, headers: announced(large) });
  await held.isHeld;
  const another = await postForm(otherRace, large, { send, headers: announced(large) });
  expect(await expectError(another, 503, 'SERVICE_UNAVAILABLE')).toMatch(/uploads are being read/);
  const small = await postJson(race, JSON_BODY, { send, headers: announced(JSON_BODY) });
  expect(await answered(small)).toMatchObject({ uploaded: 1 });
  held.goOn();
  expect(await answered(await first)).toMatchObject({ total_processed: 1 });
});

test('gives an organization at most half of the room, and another one the rest', async () => {
  const [race, otherRace] = await Promise.all([
    createRace({ bibs: ['7'] }),
    createRace({ bibs: ['7'] }),
  ]);
  const bytes = 100 * 1_024;
  const large = createLeases({ total: 4 * bytes, each: 2 * bytes });
  const send = withLimits({ small: budgetOf(0), large });
  const body = bytesOf([JSON_BODY, ' '.repeat(bytes - JSON_BODY.length)]);
  const held = heldBody(bytesOf([body, body]));
  const first = postJson(race, held.body, { send, headers: { 'Content-Length': `${2 * bytes}` } });
  await held.isHeld;
  const key = await createKey(race.organizationId);
  for (const own of [race, { ...race, key }]) {
    await expectError(await postJson(own, body, { send }), 503, 'SERVICE_UNAVAILABLE');
  }
  expect(await answered(await postJson(otherRace, body, { send }))).toMatchObject({ uploaded: 1 });
  held.goOn();
  await first;
});

test('reads a large JSON body only when its organization has the turn of a file', async () => {
  const race = await createRace({ bibs: ['7'] });
  const gate = createGate();
  const turn = gate.files.take(race.organizationId);
  const send = withLimits({ files: gate.files });
  const body = bytesOf([JSON_BODY, ' '.repeat(300 * 1_024)]);
  const held = heldBody(body);
  const isRead = vi.fn<() => void>();
  void held.isHeld.then(isRead);
  const large = postJson(race, held.body, { send, headers: announced(body) });
  for (let sent = 0; sent < 2; sent++) {
    expect((await postJson(race, JSON_BODY, { send })).status).toBe(200);
  }
  expect(isRead).not.toHaveBeenCalled();
  turn?.end();
  held.goOn();
  expect(await answered(await large)).toMatchObject({ unchanged: 1 });
});

test('takes the room of a body that comes slower than the pace if another needs it', async () => {
  const race = await createRace({ bibs: ['7'] });
  const send = withLimits(roomFor(2 * JSON_BODY.length));
  const held = heldBody(JSON_BODY);
  const slow = postJson(race, held.body, { send, headers: announced(JSON_BODY) });
  await held.isHeld;
  await expectError(await postJson(race, JSON_BODY, { send }), 503, 'SERVICE_UNAVAILABLE');
  vi.setSystemTime(Date.now() + 3_000);
  expect(await answered(await postJson(race, JSON_BODY, { send }))).toMatchObject({ uploaded: 1 });
  const refused = await slow;
  await expectError(refused, 503, 'SERVICE_UNAVAILABLE');
  expect(refused.headers.get('Retry-After')).toBe('5');
});

test('lets a body before the check of its caller hold no memory of large bodies', async () => {
  const race = await createRace({ bibs: ['7'] });
  const gate = { ...createGate(), small: budgetOf(0) };
  const { request: send } = startLimitedApp(testConfig, { gate });
  const putStarts = () =>
    send(`${race.path}/starts`, {
      method: 'PUT',
      headers: { ...withKey(race.key), 'Content-Type': 'application/json' },
      body: JSON.stringify({ version: 0, starts: [] }),
    });
  await expectError(await putStarts(), 503, 'SERVICE_UNAVAILABLE');
  // A read shows the organization of the key to the isolate.
  expect((await send(race.path, { headers: withKey(race.key) })).status).toBe(200);
  expect((await putStarts()).status).toBe(200);
});
