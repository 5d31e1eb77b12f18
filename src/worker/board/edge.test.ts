import { exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { insertEvent } from '../../dev/stack/seed.ts';
import { configureEvent, createRace, db } from '../../testing/factories.ts';
import { startApp, testConfig, withKey } from '../../testing/harness.ts';
import { createClub, panelOf } from '../../testing/members.ts';
import { notModifiedFor } from '../http/revalidation.ts';
import { consoleLog } from '../log.ts';
import { buildServices } from '../services.ts';
import { toBoardRequest } from './address.ts';
import { documentAddress, documentAt } from './boards.ts';
import { KINDS } from './documents.ts';

/** An application that notes its purges of boards. */
function startPurging() {
  const purged: string[] = [];
  const purge = async (eventId: string) => purged.push(eventId) > 0;
  const { purgeBoard } = buildServices(testConfig, consoleLog, { purge });
  return { purged, ...startApp(testConfig, { purgeBoard }) };
}

test('purges a board when its switches change and when an upload is taken back, and not before', async () => {
  const { purged, request } = startPurging();
  const { organizationId, owner } = await createClub();
  const switched = await insertEvent(db, organizationId);
  const change = (eventId: string) =>
    request(`/api/v1/organizations/${organizationId}/events/${eventId}/board`, {
      method: 'PATCH',
      headers: { ...owner.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ board_names: 'none' }),
    });
  expect((await change(switched.toUpperCase())).status).toBe(200);
  expect((await change(crypto.randomUUID())).status).toBe(404);
  expect(purged).toEqual([switched]);

  const { eventId, key, path } = await createRace({ bibs: ['1'] });
  const post = (rest: string, body?: string) =>
    request(path + rest, {
      method: 'POST',
      headers: { ...withKey(key), ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body }),
    });
  const results = [{ bib_number: '1', time: '01:00:00' }];
  const upload = await post('/results', JSON.stringify({ results }));
  const { batch_id } = await upload.json<{ batch_id: string }>();
  await post(`/result-batches/${batch_id}/revert?dry_run=true`);
  expect(purged).toEqual([switched]);
  await post(`/result-batches/${batch_id}/revert`);
  expect(purged).toEqual([switched, eventId]);
});

test('purges a board when a single result or name changes, a point is taken back or results are made official', async () => {
  const { purged, request } = startPurging();
  const { organizationId, eventId, key, path } = await createRace({ bibs: ['1'] });
  const { headers, path: inPanel } = await panelOf({ organizationId, eventId });
  /** How many times a request purges the board. */
  const purgesOf = async (method: string, address: string, body?: object) => {
    purged.length = 0;
    const response = await request(address, {
      method,
      headers: {
        ...(address.startsWith(inPanel) ? headers : withKey(key)),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.ok, await response.text()).toBe(true);
    expect(purged.filter((id) => id !== eventId)).toEqual([]);
    return [method, address, purged.length];
  };
  const correction = { status: 'DNF' };
  const point = `${path}/passings?point=Km%2010`;
  for (const [purges, method, address, body] of [
    [1, 'PATCH', `${inPanel}/results/1`, correction],
    [0, 'PATCH', `${inPanel}/results/1`, correction],
    [1, 'POST', `${inPanel}/results/official`],
    [1, 'DELETE', `${inPanel}/results/1`],
    [1, 'PUT', `${inPanel}/hidden-names/1`],
    [1, 'DELETE', `${inPanel}/hidden-names/1`],
    [0, 'DELETE', `${point}&dry_run=true`],
    [1, 'DELETE', point],
  ] as const) {
    expect(await purgesOf(method, address, body)).toEqual([method, address, purges]);
  }
});

test('purges a board when starts or points change, a start is shifted, or a shift is taken back', async () => {
  const { purged, request } = startPurging();
  const { eventId, key, path } = await createRace({ bibs: ['1'] });
  const send = async (method: string, below: string, body?: object) => {
    purged.length = 0;
    const response = await request(path + below, {
      method,
      headers: { ...withKey(key), ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    expect(response.ok, answer).toBe(true);
    return JSON.parse(answer);
  };
  const starts = (seconds: number) => [
    {
      ...{ name: 'Gun', distance: null, bib_from: null, bib_to: null },
      starts_at: `2027-05-09T09:00:${seconds}.000Z`,
    },
  ];
  await send('PUT', '/starts', { version: 0, starts: starts(10) });
  expect(purged).toEqual([eventId]);
  await send('PUT', '/points', {
    version: 0,
    points: [{ name: 'Km 5', distance: null, order: 1, km: 5 }],
  });
  expect(purged).toEqual([eventId]);
  await send('POST', '/results', { results: [{ bib_number: '1', gun_time: '0:40:00' }] });
  const moved = { version: 1, starts: starts(40) };
  await send('PUT', '/starts?shift=true&dry_run=true', moved);
  expect(purged).toEqual([]);
  const { shift } = await send('PUT', '/starts?shift=true', moved);
  expect(purged).toEqual([eventId]);
  await send('POST', `/result-batches/${shift.batch_id}/revert`);
  expect(purged).toEqual([eventId]);
});

test('answers 304 at the default entrypoint, and tags what Board answers with the event', {
  timeout: 120_000,
}, async () => {
  const { eventId } = await createRace({ bibs: ['1'] });
  await configureEvent(eventId, { board_enabled: true });
  const url = `https://race.example/board/${eventId}/data`;
  const first = await exports.default.fetch(new Request(url));
  const etag = first.headers.get('ETag') ?? '';
  await first.text();
  expect(etag).toMatch(/^"[\da-f]{64}"$/);
  expect(first.headers.get('Cache-Tag')).toBe(eventId);
  expect(first.headers.get('Cache-Control')).toMatch(
    /^public, max-age=\d+, stale-while-revalidate=10, stale-if-error=86400$/,
  );
  const again = new Request(url, { headers: { 'If-None-Match': `"0", W/${etag}` } });
  const same = await exports.default.fetch(again);
  expect([same.status, await same.text(), same.headers.get('ETag')]).toEqual([304, '', etag]);
  // No cache exists here: the smoke of a deployment proves the purge.
  await expect(exports.Board.purge(eventId)).resolves.toBe(true);
});

test('asks itself for documents at addresses that nobody else has', () => {
  const eventId = crypto.randomUUID();
  for (const kind of KINDS) {
    const address = documentAddress(kind, eventId, 'v2');
    // Versions share the cache, and each has a form of the documents.
    expect(new URL(address).searchParams.get('version')).toBe('v2');
    expect(documentAt(new Request(address))).toEqual({ kind, eventId });
    expect(toBoardRequest(new Request(address))).toBeUndefined();
  }
  expect(documentAt(new Request(`https://race.example/board/${eventId}/data`))).toBeUndefined();
});

test.each([
  [304, '"1"', 200, '"1"'],
  [304, '*', 200, '"1"'],
  [304, '"0" , W/"1"', 200, '"1"'],
  [304, '"1"', 200, 'W/"1"'],
  [200, '"2"', 200, '"1"'],
  [200, '1', 200, '"1"'],
  [404, '*', 404, '"1"'],
  [200, '*', 200, null],
])(
  'answers %i to If-None-Match %s of an answer %i with the ETag %s',
  (expected, sent, status, etag) => {
    const request = new Request('https://race.example/', { headers: { 'If-None-Match': sent } });
    const headers = { 'Content-Type': 'text/html', ...(etag !== null && { ETag: etag }) };
    expect(notModifiedFor(request, new Response('body', { status, headers })).status).toBe(
      expected,
    );
  },
);
