import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { compareBeside, type Neighbour, type Neighbours, startNeighbours } from './neighbours.ts';

const MIB = 1_024 * 1_024;

let neighbours: Neighbours;

beforeEach(async () => {
  neighbours = await startNeighbours(inject('servers'));
});
afterEach(() => neighbours?.stop());

/** Opens an upload that announces `bytes`. The upload never ends. */
function open(path: string, key: string, bytes: number): ClientRequest {
  const sent = request(`${neighbours.day.origin}${path}/results/file`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'text/csv', 'Content-Length': bytes },
  });
  // The test breaks the request off.
  sent.on('error', () => {});
  return sent;
}

const fileOf = (rows: number, row: (bib: number) => string, bytes: number): string => {
  const filler = 'n'.repeat(Math.max(0, Math.floor(bytes / rows) - 24));
  const lines = Array.from({ length: rows }, (_, index) => `${row(index + 1)},${filler}`);
  return ['bib,time,note', ...lines].join('\n');
};

async function uploadFile({ path, key }: Neighbour, file: string): Promise<number> {
  const response = await fetch(`${neighbours.day.origin}${path}/results/file`, {
    method: 'POST',
    headers: { 'X-API-Key': key(), 'Content-Type': 'text/csv' },
    body: file,
  });
  await response.arrayBuffer();
  return response.status;
}

const LARGE_FILE = fileOf(10_000, (bib) => `${bib},1:02:03`, 12 * MIB);

test('serves another organization beside four slow uploads of one key', async () => {
  const { busy, quiet } = neighbours;
  const key = busy.key();
  const slow = [16, 4, 2, 2].map((mib) => {
    const upload = open(busy.path, key, mib * MIB);
    upload.write('bib,time\n');
    upload.write('x'.repeat((mib * MIB) / 2));
    return upload;
  });
  const { ratio, ...times } = await compareBeside(quiet.upload, async (signal) => {
    while (!signal.aborted) {
      for (const upload of slow) upload.write('x');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  process.stdout.write(`ratio ${ratio.toFixed(1)}, ${JSON.stringify(times)}\n`);
  expect(ratio).toBeLessThan(4);
  expect(await uploadFile(quiet, LARGE_FILE)).toBe(200);
  for (const upload of slow) upload.destroy();
});

test('serves another organization beside clients that do not read their answers', async () => {
  const { busy, quiet } = neighbours;
  // Every row fails, so that the answers are as long as the files.
  const file = fileOf(20_000, (bib) => `${bib},late`, 7 * MIB);
  const key = busy.key();
  const answers = await Promise.all(
    [0, 1].map(async () => {
      const upload = open(busy.path, key, Buffer.byteLength(file));
      const answered = new Promise<IncomingMessage>((resolve) => upload.on('response', resolve));
      upload.end(file);
      const answer = await answered;
      answer.pause();
      return answer;
    }),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  await quiet.upload();
  expect(await uploadFile(quiet, LARGE_FILE)).toBe(200);
  // An unread answer gives up its place for the next file of its own organization.
  expect(await uploadFile({ ...busy, key: () => key }, LARGE_FILE)).toBe(200);
  for (const answer of answers) answer.destroy();
});

test('serves another organization beside uploads with 480 000 names of splits', async () => {
  const { busy, quiet } = neighbours;
  const results = Array.from({ length: 480 }, (_, row) => ({
    bib_number: `${row + 1}`,
    time: '1:02:03',
    splits: Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [`n${1_000 * row + at}`, '0:30']),
    ),
  }));
  const body = JSON.stringify({ results });
  const statuses = new Set<number>();
  const { ratio, ...times } = await compareBeside(quiet.upload, async (signal) => {
    while (!signal.aborted) {
      const response = await fetch(`${neighbours.day.origin}${busy.path}/results`, {
        method: 'POST',
        headers: { 'X-API-Key': busy.key(), 'Content-Type': 'application/json' },
        body,
      });
      statuses.add(response.status);
      expect(await response.text()).toContain('2000 different names');
    }
  });
  process.stdout.write(`ratio ${ratio.toFixed(1)}, ${JSON.stringify(times)}\n`);
  // Reading the largest body takes as long as five batches; keeping all names would take as long as seventeen.
  expect(ratio).toBeLessThan(10);
  expect([...statuses]).toEqual([400]);
});
