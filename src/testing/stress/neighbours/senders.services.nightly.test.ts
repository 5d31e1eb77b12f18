import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { insertKey } from '../../../dev/stack/seed.ts';
import { type RaceDay, startRaceDay } from '../race-day.ts';
import { startLanes, type WireForm } from './lanes.ts';
import { createLargeRace, type LargeRace } from './large-race.ts';
import { createNeighbour, type Neighbour } from './neighbours.ts';

const LANES = 24;
const SAMPLES = 40;
const EVERY_MS = 50;
/** More keys than 24 lanes use in a measurement. */
const FRESH_KEYS = 400;
/** Another organization waits at most so many times as long as beside plain event reads. */
const SLOWER_MAX = 1.3;
/** A shorter delay is not noticed, whatever the ratio. */
const NOT_FELT_MS = 5;

let day: RaceDay;
let busy: LargeRace;
let quiet: Neighbour;
let lanes: ReturnType<typeof startLanes>;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
  busy = await createLargeRace(day);
  quiet = await createNeighbour(day);
  lanes = startLanes();
}, 600_000);
afterAll(async () => {
  await lanes?.stop();
  await day?.stop();
});

type Callers = readonly Record<string, string>[];

const knownKeys = (): Callers =>
  Array.from({ length: FRESH_KEYS }, () => ({ 'X-API-Key': busy.nextKey() }));

/** Keys unknown to the isolate. @param addressOf the address of the request with this number */
const freshKeys = async (addressOf: (at: number) => string): Promise<Callers> =>
  Promise.all(
    Array.from({ length: FRESH_KEYS }, async (_, at) => ({
      'X-API-Key': await insertKey(drizzle(day.pool), busy.organizationId),
      'CF-Connecting-IP': addressOf(at),
    })),
  );

const ONE_ADDRESS = () => '203.0.113.9';
const MANY_ADDRESSES = (at: number) => `203.0.${at >> 8}.${at & 255}`;

const read = (path: string): WireForm => ({
  method: 'GET',
  url: day.origin + busy.path + path,
  headers: {},
});

const sent = (method: string, path: string, body: unknown): WireForm => ({
  method,
  url: day.origin + path,
  headers: { 'Content-Type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});

/** A body of 2 000 names in many orders, which takes the most processor time. */
const manyNames = () => ({
  results: Array.from({ length: 4_000 }, (_, row) =>
    Object.fromEntries(
      Array.from({ length: 90 }, (_, at) => [`n${(at * (1 + 2 * row)) % 1_999}`, 1]),
    ),
  ),
});

type Attack = { form: () => WireForm; callers: () => Callers | Promise<Callers> };

const ATTACKS: Record<string, Attack> = {
  'exports with known keys': { form: () => read('/results/export'), callers: knownKeys },
  'exports with new keys of one address': {
    form: () => read('/results/export'),
    callers: () => freshKeys(ONE_ADDRESS),
  },
  'exports with new keys of many addresses': {
    form: () => read('/results/export'),
    callers: () => freshKeys(MANY_ADDRESSES),
  },
  'far pages of a distance': {
    form: () => read('/participants?page_size=100&distance=10K&page=290'),
    callers: knownKeys,
  },
  'corrections in a rare distance': {
    form: () =>
      sent(
        'PATCH',
        `/api/v1/organizations/${busy.organizationId}/events/${busy.eventId}/results/17`,
        { chip_time: '99:00:00' },
      ),
    callers: () => busy.sessions,
  },
  'bodies of many names': {
    form: () => sent('POST', `${busy.path}/results`, manyNames()),
    callers: knownKeys,
  },
};

/** The median and the 95th of a hundred waits of another organization, in ms. */
async function timesBeside(form: WireForm, callers: Callers): Promise<Record<string, number>> {
  lanes.start({ lanes: LANES, forms: [form], callers });
  try {
    await sleep(500);
    const readEvent = async () => {
      const response = await fetch(day.origin + quiet.path, {
        headers: { 'X-API-Key': quiet.key() },
      });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`An event read got ${response.status}.`);
    };
    const [reads, batches] = await Promise.all([timesOf(readEvent), timesOf(quiet.upload)]);
    return {
      'an event read': at(reads, 0.5),
      'a slow event read': at(reads, 0.95),
      'a live batch': at(batches, 0.5),
      'a slow live batch': at(batches, 0.95),
    };
  } finally {
    process.stdout.write(`${JSON.stringify(await lanes.end())}\n`);
  }
}

async function timesOf(ask: () => Promise<void>): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < SAMPLES) {
    const startedAt = performance.now();
    await ask();
    taken.push(performance.now() - startedAt);
    await sleep(EVERY_MS);
  }
  return taken.sort((a, b) => a - b);
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;

test.each(Object.entries(ATTACKS))(
  'serves another organization beside 24 lanes of %s as beside event reads',
  // Another process can spoil a measurement. A slow API fails all three.
  { retry: 2 },
  async (name, { form, callers }) => {
    const before = await timesBeside(read(''), knownKeys());
    const beside = await timesBeside(form(), await callers());
    const lines = Object.entries(beside).map(([what, ms]) => {
      const controlMs = before[what] ?? Number.NaN;
      const isFelt = ms > SLOWER_MAX * controlMs && ms - controlMs > NOT_FELT_MS;
      const figures = `${ms.toFixed(1)} ms, ${(ms / controlMs).toFixed(2)} x control`;
      return { isFelt, line: `${name}: ${what} ${figures}` };
    });
    process.stdout.write(`${lines.map(({ line }) => line).join('\n')}\n`);
    expect(lines.filter(({ isFelt }) => isFelt)).toEqual([]);
  },
);
