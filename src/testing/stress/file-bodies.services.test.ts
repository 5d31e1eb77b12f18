import { drizzle } from 'drizzle-orm/node-postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { insertKey } from '../../dev/stack/seed.ts';
import { type RunningApi, startApi } from '../runtime/api.ts';
import { type OwnStack, startOwnStack } from '../runtime/own-stack.ts';
import { peakDuring, processorSeconds, residentMib } from '../runtime/resident.ts';
import { createRace, type Race } from './race-day.ts';

const MIB = 1_024 * 1_024;
/** Beyond the memory before. The platform ends an isolate of 128 MiB. */
const TAKEN_MIB = 80;
const PROCESSOR_SECONDS = 1.5;
/** V8 keeps garbage while memory is plenty, which is so here and not on the platform. */
const HEAP_LIMIT_MIB = 48;
const ROWS = 100_000;

let own: OwnStack;
let api: RunningApi;
let race: Race;

beforeAll(async () => {
  own = await startOwnStack(inject('servers'));
});
afterAll(() => own?.stop());
// Each test has a separate process: memory of an earlier body would be free for the next body.
beforeEach(async () => {
  api = await startApi(own.stack.workerEnv, { heapLimitMib: HEAP_LIMIT_MIB });
  race = await createRace(own, { runners: 10 });
});
afterEach(() => api?.stop());

/** A file of failing rows, with further columns. */
const failing = (rows: number, columns: number, cell: string) => {
  const names = Array.from({ length: columns }, (_, at) => `,column number ${at}`).join('');
  const cells = `,${cell}`.repeat(columns);
  const lines = Array.from({ length: rows }, (_, at) => `${at},late${cells}\n`);
  return [`bib,time${names}\n`, ...lines].join('');
};

const BODIES: readonly [string, () => string][] = [
  ['two columns', () => failing(ROWS, 0, '')],
  ['a long cell', () => failing(ROWS, 1, 'n'.repeat(145))],
  ['20 columns', () => failing(ROWS, 18, 'abcdef')],
  ['1 000 columns', () => failing(8_000, 998, 'x')],
  ['signs that JSON escapes', () => failing(ROWS, 1, '\u0001'.repeat(145))],
];

test.each(BODIES)(
  'answers to a file of failing rows in little memory and processor time: %s',
  // Another process can spoil a measurement.
  { retry: 1 },
  async (what, file) => {
    const key = await insertKey(drizzle(own.pool), race.organizationId);
    const post = async (body: string) => {
      const headers = { 'X-API-Key': key, 'Content-Type': 'text/csv' };
      const url = `${api.origin}${race.path}/results/file`;
      const response = await fetch(url, { method: 'POST', headers, body });
      expect(response.status).toBe(200);
      let length = 0;
      for await (const piece of response.body ?? []) length += piece.length;
      return length;
    };
    const body = file();
    // The first requests compile the code.
    for (let sent = 0; sent < 4; sent++) await post(failing(300, 1, 'x'));
    const [mibBefore, secondsBefore] = [residentMib(api.pid), processorSeconds(api.pid)];
    let length = 0;
    const peakMib = await peakDuring(api.pid, async () => {
      length = await post(body);
    });
    const seconds = processorSeconds(api.pid) - secondsBefore;
    const takenMib = peakMib - mibBefore;
    process.stdout.write(
      `${what}: ${(body.length / MIB).toFixed(1)} MiB, answer ${(length / MIB).toFixed(1)} MiB, ` +
        `${seconds.toFixed(2)} s, ${takenMib.toFixed(0)} MiB\n`,
    );
    expect(seconds).toBeLessThan(PROCESSOR_SECONDS);
    expect(takenMib).toBeLessThan(TAKEN_MIB);
  },
);
