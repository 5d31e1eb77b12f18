import { drizzle } from 'drizzle-orm/node-postgres';
import { beforeEach, expect, test } from 'vitest';
import { lines, raceHeader, raceLine } from '../../bench/files.ts';
import { insertKey } from '../../dev/stack/seed.ts';
import { costOf } from '../runtime/resident.ts';
import { useFreshApi } from './fresh-api.ts';
import { createRace, type Race } from './race-day.ts';

const MIB = 1_024 * 1_024;
/** Beyond the memory before. The platform ends an isolate of 128 MiB. */
const TAKEN_MIB = 80;
const PROCESSOR_SECONDS = 1.5;
const HEAP_LIMIT_MIB = 48;
const ROWS = 100_000;

const fresh = useFreshApi(HEAP_LIMIT_MIB);
let race: Race;
beforeEach(async () => {
  race = await createRace(fresh.own, { runners: 10 });
});

/** A file of failing rows, with further columns. */
const failing = (rows: number, columns: number, cell: string) => {
  const names = Array.from({ length: columns }, (_, at) => `,column number ${at}`).join('');
  const cells = `,${cell}`.repeat(columns);
  const lines = Array.from({ length: rows }, (_, at) => `${at},late${cells}\n`);
  return [`bib,time${names}\n`, ...lines].join('');
};

/** The splits of 20 columns. */
const SPLITS = 17;

const BODIES: readonly [string, () => string][] = [
  ['two columns', () => failing(ROWS, 0, '')],
  ['a long cell', () => failing(ROWS, 1, 'n'.repeat(145))],
  ['20 columns', () => failing(ROWS, 18, 'abcdef')],
  ['1 000 columns', () => failing(8_000, 998, 'x')],
  ['20 columns with splits', () => lines(raceHeader(SPLITS), ROWS, (row) => raceLine(row, SPLITS))],
  ['signs that JSON escapes', () => failing(ROWS, 1, '\u0001'.repeat(145))],
];

test.each(BODIES)(
  'answers to a file in little memory and processor time: %s',
  // Another process can spoil a measurement.
  { retry: 1 },
  async (what, file) => {
    const { own, api } = fresh;
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
    let length = 0;
    const { seconds, takenMib } = await costOf(api.pid, async () => {
      length = await post(body);
    });
    process.stdout.write(
      `${what}: ${(body.length / MIB).toFixed(1)} MiB, answer ${(length / MIB).toFixed(1)} MiB, ` +
        `${seconds.toFixed(2)} s, ${takenMib.toFixed(0)} MiB\n`,
    );
    expect(seconds).toBeLessThan(PROCESSOR_SECONDS);
    expect(takenMib).toBeLessThan(TAKEN_MIB);
  },
);
