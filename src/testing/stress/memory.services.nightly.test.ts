import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertKey } from '../../dev/stack/seed.ts';
import { POINT_LENGTH_MAX } from '../../timing-files/read/parameters.ts';
import { generateApiKey } from '../../worker/auth/api-key/api-key.ts';
import { peakDuring, processorSeconds, residentMib } from '../runtime/resident.ts';
import { useFreshApi } from './fresh-api.ts';
import { createRace, type Race } from './race-day.ts';

const MIB = 1_024 * 1_024;
/** The platform's limit for an isolate. */
const ISOLATE_MIB = 128;
const HEAP_LIMIT_MIB = 40;
const CONNECTIONS = 500;
const CONNECTIONS_MIB = 20;
/** By then every request has been refused, and its body is being drained. */
const STALLED_MS = 2_000;
const ROWS = 100_000;
const LEFT = 50_000;
const LEAVE = 'leave=decided&leave=impossible&leave=many&leave=others&sender=Finish';
/** A quiet processor needs less than a second. */
const LEFT_SECONDS = 3;
const EXPORT_MIB = 64;
const NO_BODY = 'Content-Length: 0\r\n\r\n';

const fresh = useFreshApi(HEAP_LIMIT_MIB);
let race: Race;
beforeEach(async () => {
  race = await createRace(fresh.own);
});

const keyOf = () => insertKey(drizzle(fresh.own.pool), race.organizationId);

const post = (path: string, key: string, body: string, type: string) =>
  fetch(`${fresh.api.origin}${race.path}/results${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': type },
    body,
  });

/** A file of about `bytes`, whose notes fill the room beside the times. */
function fileOf(rows: number, bytes: number): string {
  const lines = Array.from({ length: rows }, (_, index) => `${index + 1},1:02:03,`);
  const filler = 'n'.repeat(Math.max(0, Math.floor(bytes / rows) - 17));
  return ['bib,time,note', ...lines.map((line) => line + filler)].join('\n');
}

/** The peak of the whole process while the requests run. */
async function peakWhile(run: () => Promise<void>): Promise<number> {
  // The first requests compile the code.
  const key = await keyOf();
  for (const [path, body, type] of [
    ['', '{"results":[{"bib_number":"1","time":"9:59"},{}]}', 'application/json'],
    ['/file', 'bib,time\n1,9:59\n2,late\n', 'text/csv'],
    ['/file/preview', 'bib,time\n1,9:59\n2,late\n', 'text/csv'],
  ] as const) {
    expect((await post(path, key, body, type)).status).toBe(200);
  }
  const before = residentMib(fresh.api.pid);
  const peakMib = await peakDuring(fresh.api.pid, run);
  process.stdout.write(
    `memory in MiB: ${before.toFixed(0)} before, ${peakMib.toFixed(0)} at most\n`,
  );
  return peakMib;
}

/** Opens the connections, which stay open. @returns the memory of the connections */
async function takenBy(requestText: () => string): Promise<number> {
  const before = residentMib(fresh.api.pid);
  const sockets: Socket[] = [];
  const peakMib = await peakDuring(fresh.api.pid, async () => {
    for (let opened = 0; opened < CONNECTIONS; opened++) {
      const socket = connect(Number(new URL(fresh.api.origin).port), '127.0.0.1');
      // The Worker may close the connection.
      socket.on('error', () => {});
      socket.write(requestText());
      sockets.push(socket);
    }
    await sleep(STALLED_MS);
  });
  for (const socket of sockets) socket.destroy();
  return peakMib - before;
}

const head = (method: string, path: string, key: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: api.test\r\n${key === '' ? '' : `X-API-Key: ${key}\r\n`}`;

describe(`${CONNECTIONS} connections without a live key take less than ${CONNECTIONS_MIB} MiB`, () => {
  const bodies: [string, string][] = [
    ['announce 90 MB and send one byte', `Content-Length: 90000000\r\n\r\nx`],
    ['announce 5 MiB and send one byte', `Content-Length: ${5 * MIB}\r\n\r\nx`],
    ['send a chunk of one byte', 'Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'],
    ['announce 15 MiB and send 64 KiB', `Content-Length: ${15 * MIB}\r\n\r\n${'x'.repeat(65_536)}`],
  ];

  test.each(bodies)('takes little memory for connections that %s', async (_what, body) => {
    // The first connections compile the code and grow the heap for later connections.
    await takenBy(() => head('POST', `/board/${race.eventId}/data`, '') + NO_BODY);
    const taken: Record<string, number> = {};
    for (const path of [
      `${race.path}/results`,
      `${race.path}/results/file/preview`,
      `/api/v1/organizations/${race.organizationId}/api-keys`,
      `/board/${race.eventId}/data`,
      '/healthz',
      '/nothing',
    ]) {
      taken[path] = await takenBy(() => head('POST', path, '') + body);
    }
    process.stdout.write(`MiB by path: ${JSON.stringify(taken)}\n`);
    expect(Object.values(taken).filter((mib) => mib >= CONNECTIONS_MIB)).toEqual([]);
  });

  test.each(bodies)(
    'takes little memory for connections that %s with a false key',
    async (_what, body) => {
      const requestText = (end: string) =>
        head('POST', `${race.path}/results`, generateApiKey()) + end;
      // The trips to the database leave garbage, with a body or without. The first round fills the heap.
      await takenBy(() => requestText(NO_BODY));
      const withoutBody = await takenBy(() => requestText(NO_BODY));
      const withBody = await takenBy(() => requestText(body));
      process.stdout.write(`MiB: ${withoutBody} without a body, ${withBody} with one\n`);
      expect(withBody - withoutBody).toBeLessThan(CONNECTIONS_MIB);
    },
  );
});

describe(`exports of ${ROWS} rows take less than ${EXPORT_MIB} MiB`, () => {
  let finished: typeof race;
  beforeAll(async () => {
    finished = await createRace(fresh.own, { runners: ROWS, keyCount: 4 });
    await fresh.own.pool.query(
      `insert into results (registration_id, event_id, batch_id, status, chip_time_ms, splits)
      select id, event_id, gen_random_uuid(), 'FINISHED', 3000000 + bib_number::int % 70000 * 100,
        '{"Km 5": 1200000, "Km 10": 2400000, "Km 15": 3600000, "Km 20": 4800000}'
      from registrations where event_id = $1`,
      [finished.eventId],
    );
  });

  test.each([
    ['results', 'text/csv'],
    ['results', 'application/x-ndjson'],
    ['results', 'application/json'],
    ['participants', 'text/csv'],
  ])('exports %s as %s', async (list, type) => {
    const key = finished.keys.pop() ?? '';
    const get = (bib = '') =>
      fetch(`${fresh.api.origin}${finished.path}/${list}/export${bib}`, {
        headers: { 'X-API-Key': key, Accept: type },
      });
    // The first request compiles the code.
    await (await get('?bib=1&kit_status=READY')).arrayBuffer();
    const before = residentMib(fresh.api.pid);
    const startedAt = performance.now();
    let bytes = 0;
    const peak = await peakWhile(async () => {
      const response = await get();
      expect(response.status).toBe(200);
      for await (const piece of response.body ?? []) bytes += piece.length;
    });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stdout.write(`${list} as ${type}: ${(bytes / MIB).toFixed(0)} MiB in ${seconds} s\n`);
    expect(bytes).toBeGreaterThan(ROWS * 50);
    expect(peak - before).toBeLessThan(EXPORT_MIB);
  });
});

describe(`an isolate of ${ISOLATE_MIB} MiB`, () => {
  test('takes a file of 100 000 rows', async () => {
    race = await createRace(fresh.own, { runners: ROWS });
    const file = fileOf(ROWS, 15 * MIB);
    const key = await keyOf();
    const peak = await peakWhile(async () => {
      const response = await post('/file', key, file, 'text/csv');
      expect(await response.json()).toMatchObject({ uploaded: ROWS - 1, updated: 1 });
    });
    expect(peak).toBeLessThan(ISOLATE_MIB);
  });

  test('leaves 50 000 rows of the largest file to a person', async () => {
    race = await createRace(fresh.own, { runners: ROWS });
    const key = await keyOf();
    expect((await post('/file', key, fileOf(LEFT, MIB), 'text/csv')).status).toBe(200);
    const file = fileOf(ROWS, 15 * MIB);
    let [left, seconds] = [0, 0];
    const peak = await peakWhile(async () => {
      await fresh.own.pool.query(
        'update results set decided_by_person = true, chip_time_ms = 4000000',
      );
      for (const path of ['/file/preview', '/file']) {
        const processor = processorSeconds(fresh.api.pid);
        const response = await post(`${path}?${LEAVE}`, key, file, 'text/csv');
        expect(response.status).toBe(200);
        const answer = await response.text();
        left = answer.split('"decided_by_person"').length - 1;
        seconds = processorSeconds(fresh.api.pid) - processor;
        process.stdout.write(`${path} left ${left} rows in ${seconds.toFixed(1)} s of processor\n`);
      }
    });
    expect(left).toBe(LEFT);
    expect(seconds).toBeLessThan(LEFT_SECONDS);
    expect(peak).toBeLessThan(ISOLATE_MIB);
  });

  test('takes the passings of 100 000 rows at a point with a long name', async () => {
    race = await createRace(fresh.own, { runners: ROWS });
    const file = fileOf(ROWS, 15 * MIB);
    const key = await keyOf();
    const point = encodeURIComponent('折'.repeat(POINT_LENGTH_MAX));
    const peak = await peakWhile(async () => {
      const url = `${fresh.api.origin}${race.path}/passings/file?point=${point}`;
      const headers = { 'X-API-Key': key, 'Content-Type': 'text/csv' };
      const response = await fetch(url, { method: 'POST', headers, body: file });
      expect(await response.json()).toMatchObject({ uploaded: ROWS });
    });
    expect(peak).toBeLessThan(ISOLATE_MIB);
  });

  test('previews a file of 15 MiB', async () => {
    const key = await keyOf();
    const peak = await peakWhile(async () => {
      const response = await post('/file/preview', key, fileOf(ROWS, 15 * MIB), 'text/csv');
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    });
    expect(peak).toBeLessThan(ISOLATE_MIB);
  });

  test('takes four large files at once, or answers 503', async () => {
    race = await createRace(fresh.own, { runners: ROWS, keyCount: 4 });
    const { keys } = race;
    const file = fileOf(ROWS, 15 * MIB);
    const statuses: number[] = [];
    const peak = await peakWhile(async () => {
      await Promise.all(
        keys.map(async (key) => {
          const response = await post('/file', key, file, 'text/csv');
          await response.arrayBuffer();
          statuses.push(response.status);
        }),
      );
    });
    process.stdout.write(`answers ${statuses}\n`);
    expect(statuses).toContain(200);
    expect(peak).toBeLessThan(ISOLATE_MIB);
  });
});
