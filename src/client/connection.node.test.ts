import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ApiError,
  NetworkError,
  PanelClient,
  RaceResultsClient,
  TimeoutError,
  UnexpectedAnswerError,
} from './index.ts';

const KEY = 'er_live_synthetic';
const EVENT = '6e8f6c9e-0000-4000-8000-000000000001';

type Step = (init: RequestInit) => Response | Promise<Response>;
type Sent = { url: string; init: RequestInit; atMs: number };

/** A client whose requests get the steps in turn. The last step repeats. */
function scripted(...steps: [Step, ...Step[]]) {
  const sent: Sent[] = [];
  const startedAt = Date.now();
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    sent.push({ url, init, atMs: Date.now() - startedAt });
    const step = steps[Math.min(sent.length, steps.length) - 1] ?? steps[0];
    return step(init);
  };
  const options = { baseUrl: 'https://api.test', fetch };
  return {
    sent,
    options,
    client: new RaceResultsClient({ ...options, apiKey: KEY }),
    panel: new PanelClient({ ...options, sessionToken: 'synthetic' }),
  };
}

const event = { id: EVENT, name: 'Harbour Half', event_date: '', status: 'open', city: '' };
const ok: Step = () => Response.json(event);
const refusal =
  (status: number, code: string, headers: Record<string, string> = {}): Step =>
  () =>
    Response.json({ detail: 'Not now.', code }, { status, headers });
const limited = (seconds: number) =>
  refusal(429, 'RATE_LIMITED', { 'Retry-After': `${seconds}`, 'X-Request-Id': 'lap-3' });
const away = refusal(503, 'SERVICE_UNAVAILABLE');
const proxyPage =
  (status: number, headers: Record<string, string> = {}): Step =>
  () =>
    new Response('<html>', { status, headers: { 'Content-Type': 'text/html', ...headers } });
const torn: Step = () => Promise.reject(new TypeError('fetch failed'));
/** Never answers, and aborts as `fetch` does. */
const silent: Step = ({ signal }) =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });

/** The outcome of a call after all its waits. */
async function ending<T>(call: PromiseLike<T>): Promise<T | unknown> {
  const ended = call.then(
    (value) => value,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return ended;
}

/** The random part of a delay. The default is the largest. */
let share = 1;
beforeEach(() => {
  share = 1;
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockImplementation(() => share);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a temporary failure', () => {
  test.each([
    ['a torn connection', torn],
    ['a 503', away],
    ['a 429 that names no time', refusal(429, 'RATE_LIMITED')],
    ["a proxy's 502", proxyPage(502)],
    ["a proxy's 504", proxyPage(504)],
    ['an answer that breaks off', () => new Response(brokenStream())],
  ])('retries with growing delays: %s', async (_, step) => {
    const { client, sent } = scripted(step, step, step, step, ok);
    expect(await ending(client.getEvent(EVENT))).toEqual(event);
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 1_000, 3_000, 7_000, 15_000]);
  });

  test('retries after a random part of the delay', async () => {
    share = 0.25;
    const { client, sent } = scripted(torn, torn, ok);
    await ending(client.getEvent(EVENT));
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 250, 750]);
  });

  test('retries after half a minute at most without Retry-After', async () => {
    const { options, sent } = scripted(torn);
    const client = new RaceResultsClient({ ...options, apiKey: KEY, maxAttempts: 8 });
    await ending(client.getEvent(EVENT));
    const waits = sent.map(({ atMs }, index) => atMs - (sent[index - 1]?.atMs ?? 0));
    expect(waits).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  test('retries after Retry-After plus a random delay', async () => {
    share = 0.5;
    const { client, sent } = scripted(limited(60), limited(1), ok);
    expect(await ending(client.getEvent(EVENT))).toEqual(event);
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 60_500, 62_500]);
  });

  test('retries at the date in the Retry-After of a proxy', async () => {
    const date = new Date(Date.now() + 10_000).toUTCString();
    share = 0;
    const { client, sent } = scripted(proxyPage(503, { 'Retry-After': date }), ok);
    await ending(client.getEvent(EVENT));
    expect(sent[1]?.atMs).toBeGreaterThan(8_000);
    expect(sent[1]?.atMs).toBeLessThanOrEqual(10_000);
  });

  test('does not retry if Retry-After is too long', async () => {
    const { client, sent } = scripted(limited(121), ok);
    expect(await ending(client.getEvent(EVENT))).toMatchObject({ retryAfterSeconds: 121 });
    expect(sent).toHaveLength(1);
  });

  test('throws after five attempts or after maxAttempts', async () => {
    const { client, options, sent } = scripted(torn);
    expect(await ending(client.getEvent(EVENT))).toBeInstanceOf(NetworkError);
    expect(sent.splice(0)).toHaveLength(5);
    const single = new RaceResultsClient({ ...options, apiKey: KEY, maxAttempts: 1 });
    expect(await ending(single.getEvent(EVENT))).toBeInstanceOf(NetworkError);
    expect(sent).toHaveLength(1);
  });

  test('retries with the same request, also for an upload', async () => {
    const { client, sent } = scripted(torn, away, ok);
    const upload = { results: [{ bib_number: '7', chip_time: '41:50' }] };
    await ending(client.uploadEventResults(EVENT, upload));
    expect(sent.map(({ init }) => init.body)).toEqual(Array(3).fill(JSON.stringify(upload)));
  });
});

describe('a permanent failure', () => {
  test.each([
    [400, 'VALIDATION_ERROR'],
    [401, 'UNAUTHORIZED'],
    [403, 'INSUFFICIENT_SCOPE'],
    [404, 'NOT_FOUND'],
    [413, 'VALIDATION_ERROR'],
    [500, 'INTERNAL_ERROR'],
  ])('throws a permanent failure at once: %i %s', async (status, code) => {
    const { client, sent } = scripted(refusal(status, code, { 'X-Request-Id': 'lap-4' }));
    const error = await ending(client.getEvent(EVENT));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status,
      code,
      detail: 'Not now.',
      requestId: 'lap-4',
      retryAfterSeconds: undefined,
      message: `getEvent: ${status} ${code}: Not now.`,
    });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ["a proxy's error", proxyPage(500), 500],
    ['a page in place of the API', proxyPage(200), 200],
    ['a redirection', () => new Response(null, { status: 302 }), 302],
    ['JSON of somebody else', () => Response.json({ error: 'no' }, { status: 404 }), 404],
    ['JSON that is no object', () => Response.json('fine'), 200],
    ['null', () => Response.json(null), 200],
    ['no content', () => new Response(null, { status: 204 }), 204],
    ['a code that is no text', () => Response.json({ code: 7, detail: 'x' }, { status: 500 }), 500],
  ])('throws an UnexpectedAnswerError: %s', async (_, step, status) => {
    const { client, sent } = scripted(step);
    const error = await ending(client.getEvent(EVENT));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status });
    expect(sent).toHaveLength(1);
  });

  test.each([
    { page: {} },
    { page: [] },
    { page: { data: [] } },
    { page: { data: {}, meta: { total: 1, total_pages: 1 } } },
    { page: { data: [null], meta: { total: 1, total_pages: 1 } } },
    { page: { data: [], meta: { total: 1, total_pages: 1e300 } } },
    { page: { data: [], meta: { total_pages: 1 } } },
    { page: { data: [], meta: { total: -1, total_pages: 1 } } },
  ])('throws an UnexpectedAnswerError for a page that is none: $page', async ({ page }) => {
    const { client } = scripted(() => Response.json(page));
    expect(await ending(client.listEvents())).toBeInstanceOf(UnexpectedAnswerError);
    const first = client.listEvents()[Symbol.asyncIterator]().next();
    expect(await ending(first)).toBeInstanceOf(UnexpectedAnswerError);
  });

  test('throws an UnexpectedAnswerError for a body that the program does not accept', async () => {
    const lines = '{"bib_number":"1"}\n{"bib_number":"evil"}\n';
    const bodies: [string, number, (client: RaceResultsClient) => PromiseLike<unknown>][] = [
      ['{"name":"evil"}', 200, (client) => client.getEvent(EVENT)],
      ['{"code":"X","detail":"evil"}', 400, (client) => client.getEvent(EVENT)],
      [
        '{"data":[{},{"name":"evil"}],"meta":{"total":2,"total_pages":1}}',
        200,
        (client) => client.listEvents(),
      ],
      [lines, 200, (client) => client.follow('results', EVENT).update()],
    ];
    for (const [body, status, call] of bodies) {
      const { options } = scripted(() => new Response(body, { status }));
      const accepts = (_operation: string, one: unknown, isError: boolean) =>
        isError === status >= 400 && !JSON.stringify(one).includes('evil');
      const strict = new RaceResultsClient({ ...options, apiKey: KEY, accepts });
      expect(await ending(call(strict))).toBeInstanceOf(UnexpectedAnswerError);
      const lax = new RaceResultsClient({ ...options, apiKey: KEY });
      expect(await ending(call(lax))).not.toBeInstanceOf(UnexpectedAnswerError);
    }
  });

  test('ends a list at an empty page, whatever its number of pages', async () => {
    const { client, sent } = scripted(() =>
      Response.json({ data: [], meta: { total: 1, total_pages: 9 } }),
    );
    expect(await ending(client.listEvents()[Symbol.asyncIterator]().next())).toMatchObject({
      done: true,
    });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['events', (client: RaceResultsClient) => client.listEvents()],
    ['participants', (client: RaceResultsClient) => client.listEventParticipants(EVENT)],
  ])('breaks off a list of %s whose pages have no end', async (_what, list) => {
    const data = Array.from({ length: 100 }, (_, at) => ({ inscription_id: `${at}` }));
    let pages = 0;
    const { client, sent } = scripted(() => {
      pages += 1;
      return Response.json({ data, meta: { total: 1, total_pages: 2 + pages } });
    });
    const read = async () => {
      for await (const _ of list(client).pages()) expect(sent.length).toBeLessThan(200);
    };
    expect(await ending(read())).toBeInstanceOf(UnexpectedAnswerError);
    expect(sent).toHaveLength(107);
  });

  test('breaks off an answer without an end', async () => {
    const piece = new Uint8Array(16 * 1_024 * 1_024);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
    const { options } = scripted(() => new Response(endless));
    const client = new RaceResultsClient({ ...options, apiKey: KEY, maxAttempts: 1 });
    expect(await ending(client.getEvent(EVENT))).toBeInstanceOf(NetworkError);
  });

  test('keeps the detail, also if its code is newer than the client', async () => {
    const { client } = scripted(refusal(507, 'EVENT_FULL', { 'X-Request-Id': 'lap-5' }));
    const error = await ending(client.getEvent(EVENT));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 507,
      code: 'UNKNOWN_CODE',
      sentCode: 'EVENT_FULL',
      detail: 'Not now.',
      requestId: 'lap-5',
      message: 'getEvent: 507 EVENT_FULL: Not now.',
    });
  });

  test('includes any failure of a request that creates a secret', async () => {
    for (const step of [torn, away, proxyPage(502), limited(1), silent]) {
      const { panel, sent } = scripted(step);
      await ending(panel.createApiKey(EVENT, { name: 'Van', scopes: ['results:write'] }));
      await ending(panel.rotateApiKey(EVENT, EVENT));
      expect(sent).toHaveLength(2);
      await ending(panel.revokeApiKey(EVENT, EVENT));
      await ending(panel.listApiKeys(EVENT));
      expect(sent).toHaveLength(12);
    }
  });
});

describe('an answer with an ETag', () => {
  const unchanged: Step = () => new Response(null, { status: 304, headers: { ETag: '"7"' } });

  test('says that an answer with this ETag is unchanged', async () => {
    const { client, sent } = scripted(away, unchanged);
    const polled = client.listEventResults(EVENT, {}, { ifNoneMatch: '"7"' });
    expect(await ending(polled)).toBe('not modified');
    expect(sent[1]?.init.headers).toMatchObject({ 'If-None-Match': '"7"' });
  });

  test('returns an answer with its ETag to a caller without one', async () => {
    const page = { data: [], meta: { total: 1, total_pages: 0 } };
    const { client, sent } = scripted(() => Response.json(page, { headers: { ETag: '"8"' } }));
    for (const call of [
      client.listEventResults(EVENT),
      client.listEventResults(EVENT, {}, { ifNoneMatch: undefined }),
    ]) {
      expect(await ending(call)).toEqual({ ...page, etag: '"8"' });
    }
    for (const { init } of sent) expect(init.headers).not.toHaveProperty('If-None-Match');
  });

  test('requires an answer if the caller sent no ETag', async () => {
    const { client } = scripted(unchanged);
    expect(await ending(client.getEventResult(EVENT, '7'))).toBeInstanceOf(UnexpectedAnswerError);
  });
});

describe('the timeout', () => {
  test('ends each attempt', async () => {
    share = 0;
    const { options, sent } = scripted(silent);
    const client = new RaceResultsClient({ ...options, apiKey: KEY, timeoutMs: 400 });
    const error = await ending(client.getEvent(EVENT));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'TIMEOUT', cause: { name: 'AbortError' } });
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 400, 800, 1_200, 1_600]);
  });

  test('grows with the size of the body', async () => {
    share = 0;
    const { options, sent } = scripted(silent, ok);
    const client = new RaceResultsClient({ ...options, apiKey: KEY, timeoutMs: 400 });
    await ending(client.uploadEventResultsFile(EVENT, 'x'.repeat(3_200)));
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 500]);
  });

  test('clears the timeout after the answer', async () => {
    const { client } = scripted(ok);
    await client.getEvent(EVENT);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the caller's signal", () => {
  const reason = new Error('The race is over.');

  test('ends an attempt', async () => {
    const { client, sent } = scripted(silent);
    const stop = new AbortController();
    const call = ending(client.getEvent(EVENT, { signal: stop.signal }));
    stop.abort(reason);
    expect(await call).toBe(reason);
    expect(sent).toHaveLength(1);
  });

  test('ends a wait', async () => {
    const { client, sent } = scripted(limited(60));
    const stop = new AbortController();
    const call = client.getEvent(EVENT, { signal: stop.signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    stop.abort(reason);
    expect(await call).toBe(reason);
    expect(sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('prevents the request if it is already aborted', async () => {
    const { client, sent } = scripted(ok);
    const signal = AbortSignal.abort(reason);
    expect(await ending(client.getEvent(EVENT, { signal }))).toBe(reason);
    expect(await ending(client.listEvents({}, { signal }))).toBe(reason);
    expect(await ending(client.uploadEventResultsFile(EVENT, 'bib', { signal }))).toBe(reason);
    expect(sent).toEqual([]);
  });

  test('keeps no listener after the call', async () => {
    const { client } = scripted(away, ok);
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await ending(client.getEvent(EVENT, { signal }));
    expect(added).toHaveBeenCalledTimes(3);
    const listeners = ({ mock }: typeof added | typeof removed) => mock.calls.map(([, it]) => it);
    expect(listeners(removed)).toEqual(listeners(added));
  });
});

describe('a secret', () => {
  test.each([
    ['', 'Authorization', `Bearer ${KEY}`],
    ['in the other header', 'X-API-Key', KEY],
  ] as const)('sends a secret %s', async (_, header, value) => {
    const { options, sent } = scripted(ok);
    await new RaceResultsClient({ ...options, apiKey: KEY, header }).getEvent(EVENT);
    expect(sent[0]?.init.headers).toEqual({ [header]: value });
    expect(sent[0]?.init.redirect).toBe('manual');
  });

  test('shows a secret in no output', async () => {
    const printed: string[] = [];
    for (const step of [torn, away, silent, proxyPage(502), refusal(401, 'UNAUTHORIZED')]) {
      const { client, panel, options } = scripted(step);
      const error = await ending(client.getEvent(EVENT));
      if (!(error instanceof Error)) throw new Error('It did not fail.');
      printed.push(String(error), error.stack ?? '', JSON.stringify(error));
      const all = { depth: 9, showHidden: true, getters: true };
      for (const it of [error, client, panel]) printed.push(inspect(it, all), `${it}`);
      printed.push(JSON.stringify([client, panel]));
      expect(() => new RaceResultsClient({ ...options, apiKey: `${KEY}\n` })).toThrow(
        new TypeError('apiKey has blanks, line breaks or characters beyond ASCII'),
      );
    }
    expect(printed.filter((text) => text.includes('synthetic'))).toEqual([]);
  });
});

test.each([
  ['missing', undefined],
  ['null', null],
  ['empty', ''],
  ['blank', ' \t\n'],
])('refuses to be constructed with a secret that is %s', (_, secret) => {
  // A program without types can do this: new RaceResultsClient({ apiKey: process.env.KEY }).
  const construct = (Client: unknown, options: object) =>
    Reflect.construct(Object(Client), [{ baseUrl: 'https://api.test', ...options }]);
  expect(() => construct(RaceResultsClient, { apiKey: secret })).toThrow(
    new TypeError('apiKey is missing or blank'),
  );
  expect(() => construct(PanelClient, { sessionToken: secret })).toThrow(
    new TypeError('sessionToken is missing or blank'),
  );
});

test('refuses invalid options', () => {
  const good = { baseUrl: 'https://api.test', apiKey: KEY };
  for (const bad of [
    { baseUrl: 'api.test' },
    { baseUrl: 'localhost:8787' },
    { apiKey: '' },
    { timeoutMs: 0 },
    { timeoutMs: Infinity },
    { maxAttempts: 0 },
    { maxAttempts: Number.NaN },
  ]) {
    expect(() => new RaceResultsClient({ ...good, ...bad })).toThrow();
  }
});

test('encodes each value as one segment of the address', async () => {
  const page = { data: [], meta: { total: 1, total_pages: 0 } };
  const { options, sent } = scripted(ok, ok, () => Response.json(page));
  const client = new RaceResultsClient({ ...options, apiKey: KEY, baseUrl: 'https://a.test/v/' });
  await client.getEvent('a/b?c#d');
  await client.getEventResult('%2e%2e', '..\\%2f../1');
  await client.lookupEventParticipants(EVENT, { bib: 'ñ&1', chip: undefined, page: 2 });
  expect(sent.map(({ url }) => url)).toEqual([
    'https://a.test/v/public/v1/events/a%2Fb%3Fc%23d',
    'https://a.test/v/public/v1/events/%252e%252e/results/..%5C%252f..%2F1',
    `https://a.test/v/public/v1/events/${EVENT}/participants/lookup?bib=%C3%B1%261&page=2`,
  ]);
});

test('fails a call whose value cannot be in an address, and sends nothing', async () => {
  const { client, panel, sent } = scripted(ok);
  const nobody: unknown = undefined;
  for (const bad of ['', '.', '..', nobody]) {
    const call = (method: 'getEvent' | 'listEventParticipants' | 'getEventStats') =>
      Promise.resolve(Reflect.apply(client[method], client, [bad]));
    for (const ended of [
      ending(call('getEvent')),
      ending(call('listEventParticipants')),
      ending(client.getEventResult(EVENT, String(bad ?? ''))),
      ending(client.uploadEventResultsFile(String(bad ?? ''), 'bib')),
      ending(panel.rotateApiKey(EVENT, String(bad ?? ''))),
    ]) {
      const error = await ended;
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain('other than "", "." and ".."');
    }
  }
  expect(sent).toEqual([]);
});

test('ends an attempt after a minute by default', async () => {
  share = 0;
  const { client, sent } = scripted(silent);
  expect(await ending(client.getEvent(EVENT))).toBeInstanceOf(TimeoutError);
  expect(sent.map(({ atMs }) => atMs)).toEqual([0, 60_000, 120_000, 180_000, 240_000]);
});

function brokenStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"id":'));
      controller.error(new TypeError('terminated'));
    },
  });
}
