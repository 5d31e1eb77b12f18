import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { type RunningApi, startApi } from '../testing/runtime/api.ts';
import { type Cut, startTearingProxy } from '../testing/runtime/tearing-proxy.ts';
import { NetworkError, PanelClient, RaceResultsClient } from './index.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await startApi(inject('workerEnv'));
}, 60_000);
afterAll(() => api?.stop());

// Removes the random part of every delay. Only Retry-After is left.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await api.mendServices();
});

const BIBS = 20;
/** The rows together are larger than the buffers of a connection. */
const LONG_CELL = 'x'.repeat(20_000);

/** A race with a client whose connections break like this. */
async function startingRace(...cuts: Cut[]) {
  const [race, proxy] = await Promise.all([
    api.createRace(BIBS),
    startTearingProxy(api.origin, cuts),
  ]);
  onTestFinished(proxy.stop);
  const client = new RaceResultsClient({ baseUrl: proxy.origin, apiKey: race.apiKey });
  return { ...race, client, proxy };
}

const results = Array.from({ length: BIBS }, (_, index) => ({
  bib_number: `${index + 1}`,
  chip_time: `1:00:${10 + index}`,
  splits: { note: LONG_CELL },
}));
const csv = [
  'bib,time,note',
  ...results.map(({ bib_number, chip_time, splits }) =>
    [bib_number, chip_time, splits.note].join(','),
  ),
].join('\n');

const uploads = [
  ['JSON', (client: RaceResultsClient, id: string) => client.uploadEventResults(id, { results })],
  ['a Blob', (client, id) => client.uploadEventResultsFile(id, new Blob([csv]))],
  ['a stream', (client, id) => client.uploadEventResultsFile(id, new Blob([csv]).stream())],
] satisfies [string, (client: RaceResultsClient, id: string) => Promise<unknown>][];

const ALL_NEW = { total_processed: BIBS, uploaded: BIBS, updated: 0, failed: [] };
const NO_ANSWER: Cut = { afterAnswerBytes: 0 };

describe.each(uploads)('an upload of %s', (_, upload) => {
  test.each<[string, Cut, object]>([
    ['before it is sent', 'at-once', ALL_NEW],
    ['while it is sent', { afterSentBytes: 100_000 }, ALL_NEW],
    ['when it is stored', NO_ANSWER, ALL_NEW],
    ['while it is answered', { afterAnswerBytes: 100 }, ALL_NEW],
  ])(
    'is sent again after a connection that breaks %s, and returns the true outcome',
    async (_when, cut, told) => {
      const { client, eventId, proxy } = await startingRace(cut);
      expect(await upload(client, eventId)).toMatchObject(told);
      expect(proxy.connections()).toBe(2);
    },
  );

  test('survives several failures in a row', async () => {
    const { client, eventId, proxy } = await startingRace(
      'at-once',
      { afterSentBytes: 100_000 },
      NO_ANSWER,
    );
    expect(await upload(client, eventId)).toMatchObject(ALL_NEW);
    expect(proxy.connections()).toBe(4);
  });
});

test('retries a read after Retry-After until Postgres is back', async () => {
  const { client, eventId } = await startingRace();
  await api.breakService('postgres', { kind: 'refuse', times: 1 });
  const startedAt = performance.now();
  expect(await client.getEvent(eventId)).toMatchObject({ id: eventId });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_990);
});

test('throws SERVICE_UNAVAILABLE if Postgres stays away', async () => {
  const { client, apiKey, eventId } = await startingRace();
  await api.breakService('postgres', { kind: 'refuse' });
  const twice = new RaceResultsClient({ baseUrl: api.origin, apiKey, maxAttempts: 2 });
  await expect(twice.getEventStats(eventId)).rejects.toMatchObject({
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    retryAfterSeconds: 2,
  });
  await api.mendServices();
  expect(await client.getEventStats(eventId)).toMatchObject({ paid_inscriptions: BIBS });
});

test('stores an upload without Redis', async () => {
  const { client, eventId } = await startingRace();
  await api.breakService('redis', { kind: 'refuse' });
  expect(await client.uploadEventResults(eventId, { results })).toMatchObject(ALL_NEW);
});

test('continues a list after a broken connection', async () => {
  const { client, eventId, proxy } = await startingRace();
  const bibs: (string | null)[] = [];
  const list = client.listEventParticipants(eventId, { page_size: 6 });
  for await (const { data } of list.pages()) {
    bibs.push(...data.map(({ bib_number }) => bib_number));
    proxy.tear();
  }
  expect(new Set(bibs).size).toBe(BIBS);
  expect(bibs).toHaveLength(BIBS);
});

test('does not create a key twice after a lost answer', async () => {
  const { organizationId, sessionToken, proxy } = await startingRace(NO_ANSWER);
  const panel = new PanelClient({ baseUrl: proxy.origin, sessionToken });
  const key = { name: 'Timing van', scopes: ['events:read'] as const };
  await expect(panel.createApiKey(organizationId, key)).rejects.toBeInstanceOf(NetworkError);
  const { data } = await panel.listApiKeys(organizationId);
  expect(data.map(({ name }) => name)).toEqual(['Timing van', 'Timing crew']);
});

test('throws a NetworkError if the API is unreachable', async () => {
  const nowhere = new RaceResultsClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'synthetic' });
  const error = await nowhere.listEvents().then(null, (reason: unknown) => reason);
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ code: 'NETWORK_ERROR', cause: expect.any(TypeError) });
});
