import { createReadStream, openAsBlob } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Race, type RunningApi, startApi } from '../testing/runtime/api.ts';
import {
  ApiError,
  changes,
  isRaceResultsError,
  PanelClient,
  type Participant,
  RaceResultsClient,
  type ResultsFile,
  type ResultsUploadIn,
} from './index.ts';

let api: RunningApi;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'results-'));
  api = await startApi(inject('workerEnv'));
}, 60_000);
afterAll(async () => {
  await api?.stop();
  await rm(folder, { recursive: true, force: true });
});

const clientOf = ({ apiKey }: Pick<Race, 'apiKey'>) =>
  new RaceResultsClient({ baseUrl: api.origin, apiKey, maxAttempts: 1 });

async function startingRace(runners = 3) {
  const race = await api.createRace(runners);
  return { ...race, client: clientOf(race) };
}

const failureOf = async (call: PromiseLike<unknown>): Promise<ApiError> => {
  const error = await Promise.resolve(call).catch((reason: unknown) => reason);
  if (error instanceof ApiError) return error;
  throw new Error('The API did not refuse.', { cause: error });
};

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const FIRST = { bib_number: '1', chip_time: '01:00:00' };

describe('reading', () => {
  test('returns an event, alone and in the list', async () => {
    const { client, eventId } = await startingRace();
    const event = await client.getEvent(eventId);
    expect(event).toMatchObject({ id: eventId, name: 'Harbour Half', status: 'open' });
    const { etag, ...listed } = event;
    expect(await client.getEvent(eventId, { ifNoneMatch: etag })).toBe('not modified');
    expect(await client.listEvents()).toEqual({
      etag: expect.any(String),
      data: [listed],
      meta: { page: 1, page_size: 20, total: 1, total_pages: 1 },
    });
  });

  test('returns the requested page', async () => {
    const { client, eventId } = await startingRace(5);
    const { data, meta } = await client.listEventParticipants(eventId, { page: 2, page_size: 2 });
    expect(data.map(({ document }) => document)).toHaveLength(2);
    expect(meta).toEqual({ page: 2, page_size: 2, total: 5, total_pages: 3 });
  });

  test('iterates over all pages with each item once', async () => {
    const { client, eventId } = await startingRace(250);
    const bibs = new Set<string | null>();
    for await (const { bib_number } of client.listEventParticipants(eventId)) bibs.add(bib_number);
    expect(bibs.size).toBe(250);
    const sizes = await sizesOf(client.listEventParticipants(eventId).pages());
    expect(sizes).toEqual([100, 100, 50]);
    const rest = client.listEventParticipants(eventId, { page: 2, page_size: 99 });
    expect(await sizesOf(rest.pages())).toEqual([99, 52]);
  });

  test('misses no participant if others cancel between two pages', async () => {
    const { client, eventId, cancel } = await startingRace(9);
    const seen: (string | null)[] = [];
    for await (const { data } of client.listEventParticipants(eventId, { page_size: 3 }).pages()) {
      seen.push(...data.map(({ bib_number }) => bib_number));
      await cancel(data.map(({ inscription_id }) => inscription_id));
    }
    expect(seen.sort()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  test('exports every participant and result, with the filters of the lists', async () => {
    const { client, eventId } = await startingRace(120);
    const results = Array.from({ length: 110 }, (_, index) => ({
      bib_number: `${index + 1}`,
      ...(index < 105 ? { chip_time: '50:00' } : { status: 'DNF' as const }),
    }));
    await client.uploadEventResults(eventId, { results });
    const all = await allOf(client.exportEventResults(eventId));
    expect(all.map(({ chip_time_ms: _, gun_time_ms: __, ...result }) => result)).toEqual(
      await allOf(client.listEventResults(eventId)),
    );
    expect(all[0]?.chip_time_ms).toBe(3_000_000);
    const unfinished = client.exportEventResults(eventId, { status: 'DNF' });
    expect(await allOf(unfinished)).toHaveLength(5);
    const participants = await allOf(client.exportEventParticipants(eventId));
    expect(participants).toEqual(await allOf(client.listEventParticipants(eventId)));
    const [first] = participants;
    expect(await client.getEventParticipant(eventId, first?.inscription_id ?? '')).toEqual({
      ...first,
      etag: expect.any(String),
    });
    const unknown = client.exportEventResults(crypto.randomUUID());
    await expect(allOf(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('tells what changed between two exports', async () => {
    const { client, eventId, cancel } = await startingRace(3);
    const copy = () => allOf(client.exportEventParticipants(eventId));
    const before = await copy();
    expect(await changes(before, client.exportEventParticipants(eventId))).toEqual({
      added: [],
      changed: [],
      removed: [],
    });
    const [first, second, third] = before;
    await cancel([first?.inscription_id ?? '']);
    const stale = [
      ...before.slice(0, 1),
      { ...second, inscription_id: second?.inscription_id ?? '', bib_number: 'old' },
    ];
    const found = await changes(stale, client.exportEventParticipants(eventId));
    expect(found).toEqual({
      added: [third],
      changed: [{ before: stale[1], after: second }],
      removed: [first],
    });
  });

  test('deletes a result, and brings it back', async () => {
    const { client, eventId } = await startingRace();
    await client.uploadEventResults(eventId, { results: [FIRST] });
    const { batch_id, before } = await client.deleteEventResult(eventId, '1');
    expect(before).toMatchObject({ chip_time: '01:00:00.000' });
    expect(await failureOf(client.getEventResult(eventId, '1'))).toMatchObject({ status: 404 });
    expect(await client.revertResultBatch(eventId, batch_id)).toMatchObject({ reinstated: 1 });
  });

  test('starts after a participant', async () => {
    const { client, eventId } = await startingRace(5);
    const { data } = await client.listEventParticipants(eventId);
    const after = data[1]?.inscription_id;
    const rest: Participant[] = [];
    const list = client.listEventParticipants(eventId, { after, page_size: 2 });
    for await (const participant of list) rest.push(participant);
    expect(rest).toEqual(data.slice(2));
  });

  test('ends at once on an empty list', async () => {
    const { client, eventId } = await startingRace(0);
    expect(await sizesOf(client.listEventParticipants(eventId).pages())).toEqual([0]);
    for await (const _ of client.lookupEventParticipants(eventId, { bib: '9' })) expect.fail();
  });

  test('sends no request before the await, and one after it', async () => {
    const { apiKey } = await startingRace();
    let sent = 0;
    const client = new RaceResultsClient({
      baseUrl: api.origin,
      apiKey,
      fetch: (url, init) => {
        sent += 1;
        return fetch(url, init);
      },
    });
    const list = client.listEvents();
    expect(sent).toBe(0);
    expect(await list).toBe(await list);
    expect(sent).toBe(1);
  });

  test('finds registrations by bib and document', async () => {
    const { client, eventId } = await startingRace();
    const found = await client.lookupEventParticipants(eventId, { bib: '2', document: '90000002' });
    expect(found.data).toMatchObject([{ bib_number: '2', document: '****0002' }]);
  });

  test('returns the statistics', async () => {
    const { client, eventId } = await startingRace();
    expect(await client.getEventStats(eventId)).toMatchObject({
      event_id: eventId,
      paid_inscriptions: 3,
      by_status: { PAID: 3 },
    });
  });

  test('sends the key in either header', async () => {
    const { apiKey, eventId } = await startingRace();
    const client = new RaceResultsClient({ baseUrl: api.origin, apiKey, header: 'X-API-Key' });
    expect(await client.getEvent(eventId)).toMatchObject({ id: eventId });
  });
});

describe('results', () => {
  async function finishedRace() {
    const race = await startingRace(5);
    const times = ['42:00', '41:00', '43:00', '41:00'];
    const results = times.map((chip_time, index) => ({ bib_number: `${index + 1}`, chip_time }));
    await race.client.uploadEventResults(race.eventId, { results });
    return race;
  }

  test('lists results by position and reads one by its bib', async () => {
    const { client, eventId } = await finishedRace();
    const places: string[] = [];
    for await (const result of client.listEventResults(eventId, { page_size: 3 })) {
      places.push(`${result.position_overall}: ${result.bib_number}`);
    }
    expect(places.sort()).toEqual(['1: 2', '1: 4', '3: 1', '4: 3']);
    const page = await client.listEventResults(eventId, { status: 'FINISHED', page: 2 });
    expect(page.meta).toMatchObject({ page: 2, total: 4 });
    expect(await client.getEventResult(eventId, '3')).toMatchObject({
      bib_number: '3',
      status: 'FINISHED',
      position_overall: 4,
    });
    expect(await failureOf(client.getEventResult(eventId, '5'))).toMatchObject({ status: 404 });
  });

  test('come to a polling client only after a change', async () => {
    const { client, eventId } = await finishedRace();
    const poll = (ifNoneMatch?: string) => client.listEventResults(eventId, {}, { ifNoneMatch });
    const seen = await poll();
    if (seen === 'not modified') throw new Error('There was nothing to compare with.');
    expect(seen.data).toHaveLength(4);
    expect(await poll(seen.etag)).toBe('not modified');
    const ofBib = await client.getEventResult(eventId, '1');
    const again = { ifNoneMatch: ofBib.etag };
    expect(await client.getEventResult(eventId, '1', again)).toBe('not modified');

    await client.uploadEventResults(eventId, { results: [{ bib_number: '1', status: 'DSQ' }] });
    expect(await poll(seen.etag)).toMatchObject({ meta: { total: 4 }, etag: expect.any(String) });
    expect(await client.getEventResult(eventId, '1', again)).toMatchObject({ status: 'DSQ' });
  });
});

async function sizesOf(pages: AsyncIterable<{ data: Participant[] }>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const { data } of pages) sizes.push(data.length);
  return sizes;
}

describe('uploading', () => {
  test('rows returns the outcome of each row', async () => {
    const { client, eventId } = await startingRace();
    const upload: ResultsUploadIn = {
      results: [
        { bib_number: '1', chip_time: '41:50', splits: { 'Km 5': '20:01' } },
        { bib_number: 2, status: 'DNF' },
        { bib_number: '99', chip_time: '41:50' },
        { bib_number: '3', chip_time: 'soon' },
      ],
    };
    expect(await client.uploadEventResults(eventId, upload)).toMatchObject({
      total_processed: 4,
      uploaded: 2,
      not_found: 1,
      errors: 1,
      splits_detected: ['Km 5'],
      failed: [
        { row: 3, bib_number: '99', item: { bib_number: '99' } },
        { row: 4, bib_number: '3' },
      ],
    });
    expect(await client.uploadEventResults(eventId, upload)).toMatchObject({ updated: 2 });
  });

  const CSV = 'bib,time\n1,41:50\n2,42:10\n3,1:02:03\n';
  const onDisk = async () => {
    const file = join(folder, 'results.csv');
    await writeFile(file, CSV);
    return file;
  };
  const pieces = () => [CSV.slice(0, 11), CSV.slice(11)].map((text) => Buffer.from(text));
  async function* yielded() {
    // Reuses one buffer for every piece, as some readers do.
    const buffer = new Uint8Array(64);
    for (const piece of pieces()) {
      buffer.set(piece);
      yield buffer.subarray(0, piece.length);
    }
  }

  test.each<[string, () => ResultsFile | Promise<ResultsFile>]>([
    ['text', () => CSV],
    ['bytes', async () => readFile(await onDisk())],
    ['a Blob', () => new Blob([CSV])],
    ['a File', () => new File([CSV], 'finish line.csv', { type: 'text/csv' })],
    ['a file opened as a Blob', async () => openAsBlob(await onDisk())],
    ["a stream of the web's", () => new Blob(pieces()).stream()],
    ["a stream of Node's", async () => createReadStream(await onDisk(), { highWaterMark: 7 })],
    ['the one as the other', async () => Readable.toWeb(createReadStream(await onDisk()))],
    ['an iterable', () => yielded()],
  ])('uploads a file from %s', async (_, fileOf) => {
    const { client, eventId } = await startingRace();
    const file = await fileOf();
    expect(await client.uploadEventResultsFile(eventId, file)).toMatchObject({ uploaded: 3 });
  });

  const MIB = 1_024 * 1_024;
  /** The rows, followed by lines of blanks up to a size. */
  const fileOf = (bytes: number) => CSV.padEnd(bytes, `\n${' '.repeat(99)}`);

  test('uploads a file of many MiB', async () => {
    const { client, eventId } = await startingRace();
    const file = new Blob([fileOf(4 * MIB)]).stream();
    expect(await client.uploadEventResultsFile(eventId, file)).toMatchObject({ uploaded: 3 });
  });

  test('fails for a file that is too large', async () => {
    const { client, eventId } = await startingRace();
    const large = new Blob([fileOf(16 * MIB + 1)]);
    const refused = await failureOf(client.uploadEventResultsFile(eventId, large));
    expect(refused).toMatchObject({ status: 413, code: 'VALIDATION_ERROR' });
    await expect(client.uploadEventResultsFile(eventId, large.stream())).rejects.toThrow(
      new RangeError('The file is larger than 16 MiB'),
    );
  });

  test('releases a broken stream and throws its error', async () => {
    const { client, eventId } = await startingRace();
    const missing = createReadStream(join(folder, 'nothing.csv'));
    await expect(client.uploadEventResultsFile(eventId, missing)).rejects.toThrow('ENOENT');
    let cancelled: unknown;
    const stalled = new ReadableStream<Uint8Array>({
      cancel(reason) {
        cancelled = reason;
      },
    });
    const stop = new AbortController();
    const { signal } = stop;
    const upload = client.uploadEventResultsFile(eventId, stalled, { signal });
    const reason = new Error('The race is over.');
    stop.abort(reason);
    await expect(upload).rejects.toBe(reason);
    expect(cancelled).toBe(reason);
  });
});

describe('a refusal of the API', () => {
  test('throws an error with its code', async () => {
    const { client, eventId } = await startingRace();
    const stranger = clientOf({ apiKey: 'er_live_synthetic' });
    const [unknown, nothing, outside, keyless] = await Promise.all([
      failureOf(client.getEvent(crypto.randomUUID())),
      failureOf(client.lookupEventParticipants(eventId, {})),
      failureOf(client.listEvents({ page_size: 101 })),
      failureOf(stranger.listEvents()),
    ]);
    expect(unknown).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(nothing).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(outside).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(outside.detail).toContain('page_size');
    expect(keyless).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    for (const error of [unknown, nothing, outside, keyless]) {
      expect(error.requestId).toMatch(/^[\w-]{8,}$/);
      expect(isRaceResultsError(error)).toBe(true);
    }
  });

  test('throws the time to wait for a rate limit', async () => {
    const { client, eventId } = await startingRace();
    // Sends one request after the other, so that the limiter counts each one.
    const untilRefused = async () => {
      for (let calls = 0; calls < 300; calls++) await client.getEvent(eventId);
    };
    const error = await failureOf(untilRefused());
    expect(error).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
  });
});

describe('batches', () => {
  test('lists batches with their changes, reverts one, and reverts the revert', async () => {
    const { client, eventId } = await startingRace();
    const first = await client.uploadEventResults(eventId, { results: [FIRST] });
    const second = await client.uploadEventResults(eventId, {
      results: [{ ...FIRST, chip_time: '00:50:00' }],
    });
    const [change] = (await client.listResultBatchChanges(eventId, second.batch_id)).data;
    expect(change).toMatchObject({
      bib_number: '1',
      before: { chip_time: '01:00:00.000' },
      after: { chip_time: '00:50:00.000' },
    });
    const dryRun = await client.revertResultBatch(eventId, second.batch_id, { dryRun: true });
    expect(dryRun).toMatchObject({ batch_id: null, dry_run: true, restored: 1 });
    const reversal = await client.revertResultBatch(eventId, second.batch_id);
    expect(reversal).toMatchObject({ reverts: second.batch_id, dry_run: false, restored: 1 });
    const { data } = await client.listResultBatches(eventId);
    expect(data.map(({ id }) => id)).toEqual([reversal.batch_id, second.batch_id, first.batch_id]);
    expect(await client.getEventResult(eventId, '1')).toMatchObject({ chip_time: '01:00:00.000' });
  });

  test('stores a batch once under the same idempotency key', async () => {
    const { client, eventId } = await startingRace();
    const options = { idempotencyKey: crypto.randomUUID() };
    const once = await client.uploadEventResults(eventId, { results: [FIRST] }, options);
    const twice = await client.uploadEventResults(eventId, { results: [FIRST] }, options);
    expect(once.replayed).toBe(false);
    expect(twice).toEqual({ ...once, replayed: true });
    const file = new Blob(['bib,time\n2,1:00:00\n']);
    const other = { idempotencyKey: crypto.randomUUID() };
    const stored = await client.uploadEventResultsFile(eventId, file, other);
    expect(await client.uploadEventResultsFile(eventId, file, other)).toEqual({
      ...stored,
      replayed: true,
    });
    expect((await client.listResultBatches(eventId)).meta.total).toBe(2);
  });

  test('leave the bibs that are missing', async () => {
    const { client, eventId } = await startingRace();
    await client.uploadEventResults(eventId, { results: [FIRST] });
    const bibs: string[] = [];
    for await (const { bib_number } of client.listMissingResults(eventId, { page_size: 1 })) {
      bibs.push(bib_number);
    }
    expect(bibs).toEqual(['2', '3']);
  });
});

test('creates, lists, rotates and revokes keys with the panel client', async () => {
  const { organizationId, sessionToken, eventId } = await startingRace();
  const panel = new PanelClient({ baseUrl: api.origin, sessionToken });
  const made = await panel.createApiKey(organizationId, {
    name: 'Timing van',
    scopes: ['events:read'],
    expires_at: '2090-01-01T00:00:00Z',
  });
  expect(made).toMatchObject({ name: 'Timing van', scopes: ['events:read'], is_active: true });
  expect(await clientOf({ apiKey: made.api_key }).getEvent(eventId)).toMatchObject({ id: eventId });

  const rotated = await panel.rotateApiKey(organizationId, made.id);
  expect(await failureOf(clientOf({ apiKey: made.api_key }).listEvents())).toMatchObject({
    code: 'UNAUTHORIZED',
  });
  const client = clientOf({ apiKey: rotated.api_key });
  expect((await client.listEvents()).data).toHaveLength(1);
  expect(await failureOf(client.getEventStats(eventId))).toMatchObject({
    status: 403,
    code: 'INSUFFICIENT_SCOPE',
  });

  for (let times = 0; times < 2; times++) {
    expect(await panel.revokeApiKey(organizationId, made.id)).toBeUndefined();
  }
  expect(await failureOf(client.listEvents())).toMatchObject({ code: 'UNAUTHORIZED' });
  const names: string[] = [];
  for await (const key of panel.listApiKeys(organizationId)) names.push(key.name);
  expect(names).toEqual(['Timing van', 'Timing crew']);
  const kinds: string[] = [];
  for await (const { kind } of panel.listApiKeyEvents(organizationId, made.id)) kinds.push(kind);
  expect(kinds).toEqual(['revoked', 'rotated', 'created']);
});

test('switches a board with the panel client', async () => {
  const { organizationId, sessionToken, eventId } = await startingRace();
  const panel = new PanelClient({ baseUrl: api.origin, sessionToken });
  expect(await panel.getOrganization(organizationId)).toMatchObject({ id: organizationId });
  const switched = await panel.updateEventBoard(organizationId, eventId, { board_enabled: true });
  expect(switched).toMatchObject({ id: eventId, board_enabled: true, board_names: 'none' });
  expect((await panel.listOrganizationEvents(organizationId)).data).toEqual([switched]);
});
