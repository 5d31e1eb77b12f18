import { drizzle } from 'drizzle-orm/node-postgres';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertKey } from '../../dev/stack/seed.ts';
import { costOf } from '../runtime/resident.ts';
import { useFreshApi } from './fresh-api.ts';
import { createRace, type Race } from './race-day.ts';

const MIB = 1_024 * 1_024;
/** Beyond the bytes of the body. */
const TAKEN_MIB = 40;
const PROCESSOR_SECONDS = 1.5;
const HEAP_LIMIT_MIB = 48;

const fresh = useFreshApi(HEAP_LIMIT_MIB);
let race: Race;
beforeEach(async () => {
  race = await createRace(fresh.own, { runners: 10 });
});

const list = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join();

/** Lists of at most 9 900 items, of which a body may have many. */
const lists = (count: number, item: (at: number) => string) =>
  list(count / 9_900, (first) => `[${list(9_900, (at) => item(9_900 * first + at))}]`);

/** Rows of 98 members, as many as the limit of values allows. */
const rowsOf98 = (member: (at: number) => string) =>
  list(4_900, (row) => `{${list(98, (at) => member(98 * row + at))}}`);

/** Pairs of letters with an equal value of 31 × first + second. */
const EQUAL_PAIRS = ['C$', 'BC', 'Ab'] as const;

/** Different names with an equal polynomial digest. */
const namesOfOneDigest = (count: number): string[] =>
  Array.from({ length: count }, (_, name) => {
    const digits = name.toString(3).padStart(11, '0');
    return Array.from(digits, (digit) => EQUAL_PAIRS[Number(digit)]).join('');
  });

const NAMES = namesOfOneDigest(170_000);

/** A permutation of 2 000 names for each row: the engine learns a form of objects from each. */
const SHUFFLED = (at: number) => `"n${(at * (1 + 2 * Math.floor(at / 98))) % 1_999}":1`;

const BODIES: readonly [string, () => string][] = [
  [
    'names of one digest',
    () => list(1_700, (row) => `{${list(100, (at) => `"${NAMES[100 * row + at]}":1`)}}`),
  ],
  ['different names', () => rowsOf98((at) => `"${at}n":1`)],
  ['2 000 names in many orders', () => rowsOf98(SHUFFLED)],
  ['numbers as names', () => lists(249_000, () => '{"34":1}')],
  ['numbers as names of lists', () => lists(166_000, () => '{"34":[]}')],
  ['empty objects', () => lists(490_000, () => '{}')],
  ['empty objects in one row', () => `{"x":[${lists(485_000, () => '{}')}]}`],
  ['empty lists', () => lists(490_000, () => '[]')],
  ['rows of a number', () => lists(490_000, () => '1')],
  ['different texts', () => rowsOf98((at) => `"n${at % 98}":"${at}"`)],
  ['texts of two bytes', () => rowsOf98((at) => `"n${at % 98}":"折${at % 98}"`)],
  ['a text of 7 MiB', () => `{"bib_number":"${'n'.repeat(7 * MIB)}"}`],
  ['a name of 7 MiB', () => `{"${'n'.repeat(7 * MIB)}":1}`],
  [
    'texts outside of rows',
    () =>
      `],"":${lists(485_000, (at) => `"${at}"`)
        .replaceAll('],[', '],"":[')
        .slice(0, -1)}`,
  ],
  [
    'rows outside of the list',
    () =>
      `],"":${lists(245_000, () => '{}')
        .replaceAll('],[', '],"":[')
        .slice(0, -1)}`,
  ],
  ['rows of 128 KiB', () => list(62, () => `{"bib_number":"${'n'.repeat(131_000)}"}`)],
  ['failing rows of 128 KiB', () => list(62, () => `{"bib_number":{"":"${'n'.repeat(131_000)}"}}`)],
  [
    'long bibs',
    () =>
      list(
        5_000,
        (at) => `{"bib_number":"${'n'.repeat(1_300)}${at}","point":"Km 5","time":"20:00"}`,
      ),
  ],
  [
    'failing rows',
    () => list(5_000, (at) => `{"bib_number":"${at}","time":"${'n'.repeat(1_000)}"}`),
  ],
];

describe.each(['results', 'passings'])('a body of %s', (name) => {
  test.each(BODIES)(
    'takes little memory and processor time: %s',
    // Another process can spoil a measurement.
    { retry: 1 },
    async (_what, rows) => {
      const { own, api } = fresh;
      const key = await insertKey(drizzle(own.pool), race.organizationId);
      const post = async (body: string | Uint8Array) => {
        const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
        const url = `${api.origin}${race.path}/${name}`;
        const response = await fetch(url, { method: 'POST', headers, body });
        await response.arrayBuffer();
        return response.status;
      };
      const body = Buffer.from(`{"${name}":[${rows()}]}`);
      // The first requests compile the code.
      for (let sent = 0; sent < 5; sent++) await post(`{"${name}":[{"bib_number":"1"},{"x":{}}]}`);
      let status = 0;
      const cost = await costOf(api.pid, async () => {
        status = await post(body);
      });
      const { seconds } = cost;
      const bodyMib = body.length / MIB;
      const takenMib = cost.takenMib - bodyMib;
      process.stdout.write(
        `${name}, ${_what}: ${bodyMib.toFixed(1)} MiB, ${status}, ${seconds.toFixed(2)} s, ` +
          `${takenMib.toFixed(0)} MiB beyond\n`,
      );
      expect([200, 400]).toContain(status);
      expect(seconds).toBeLessThan(PROCESSOR_SECONDS);
      expect(takenMib).toBeLessThan(TAKEN_MIB);
    },
  );
});
