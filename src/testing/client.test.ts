import { expect, test } from 'vitest';
import { NetworkError, PanelClient, RaceResultsClient } from '../client/index.ts';
import { createRace } from './factories.ts';
import { startApp } from './harness.ts';
import { createMember, signSession } from './members.ts';

const { request } = startApp();

// The client in the runtime of a Worker, as another Worker would use the client; tests over HTTP are in client/.
const connection = {
  baseUrl: 'http://api.test',
  fetch: (url: string, init: RequestInit) => request(url.replace('http://api.test', ''), init),
};

test('runs the client in a Worker', async () => {
  const { key, eventId } = await createRace({ bibs: ['1', '2', '3'] });
  const client = new RaceResultsClient({ ...connection, apiKey: key });

  const results = [{ bib_number: '1', chip_time: '41:50' }];
  expect(await client.uploadEventResults(eventId, { results })).toMatchObject({ uploaded: 1 });
  const csv = new Blob(['bib,time\n1,41:50\n2,42:10\n']);
  for (const file of [csv, csv.stream()]) {
    const outcome = await client.uploadEventResultsFile(eventId, file);
    expect(outcome).toMatchObject({ total_processed: 2, failed: [] });
  }
  const otherFile = new Blob(["Stnr;Zeit;Pace\n3;0h41'50;4:11\n2;0h42'10;4:13\n"]);
  const { suggestion } = await client.previewEventResultsFile(eventId, otherFile);
  const read = suggestion?.query;
  expect(await client.uploadEventResultsFile(eventId, otherFile, { read })).toMatchObject({
    uploaded: 1,
    updated: 1,
    splits_detected: [],
  });
  const parameters = {
    bib: 'Stnr',
    chip_time: 'Zeit',
    time_format: 'apostrophes',
    split: [],
    status_word: ['Abandon:DNF', 'Forfait:DNS'],
    header_line: 1,
  } as const;
  const { counts, columns } = await client.previewEventResultsFile(eventId, otherFile, {
    read: parameters,
  });
  expect(counts).toMatchObject({ updated: 2, unchanged: 2, errors: 0 });
  expect(columns.map(({ meaning }) => meaning)).toEqual(['bib', 'chip_time', null]);
  const bibs: (string | null)[] = [];
  for await (const { bib_number } of client.listEventParticipants(eventId, { page_size: 1 })) {
    bibs.push(bib_number);
  }
  expect(bibs.sort()).toEqual(['1', '2', '3']);
  await expect(client.getEvent(crypto.randomUUID())).rejects.toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  });
});

test('manages keys of the panel from a Worker', async () => {
  const { organizationId } = await createRace();
  const { userId } = await createMember(organizationId);
  const sessionToken = await signSession({ sub: userId });
  const panel = new PanelClient({ ...connection, sessionToken });
  const { id } = await panel.createApiKey(organizationId, { name: 'Van', scopes: ['stats:read'] });
  expect(await panel.revokeApiKey(organizationId, id)).toBeUndefined();
  expect((await panel.listApiKeys(organizationId)).data[0]).toMatchObject({ id, is_active: false });
});

test('calls the global fetch of a Worker with the right receiver', async () => {
  const nowhere = { baseUrl: 'http://127.0.0.1:1', apiKey: 'synthetic', maxAttempts: 1 };
  const error = await new RaceResultsClient(nowhere).listEvents().then(null, (it: unknown) => it);
  expect(error).toBeInstanceOf(NetworkError);
  expect(String(error instanceof NetworkError && error.cause)).toMatch(/connection|refused/i);
});
