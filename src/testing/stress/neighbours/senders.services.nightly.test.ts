import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { insertKey } from '../../../dev/stack/seed.ts';
import { type RaceDay, startRaceDay } from '../race-day.ts';
import { startLanes, type WireForm } from './lanes.ts';
import { createLargeRace, isLast, type LargeRace, weighedOperations } from './large-race.ts';
import { createNeighbour, type Neighbour } from './neighbours.ts';

const LANES = 24;
/** Control and attack take turns, so that both meet the same load of the machine. */
const ROUNDS = 4;
const SAMPLES_IN_ROUND = 12;
const SETTLE_MS = 500;
const EVERY_MS = 50;
/** More keys than 24 lanes use in a round. */
const FRESH_KEYS = 400;
const SOCKETS = 500;
/** A byte of a slow body. */
const DRIP_MS = 200;
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

/** Rows of 2 000 names in many orders, which take the most processor time. */
const manyNames = (rows: number) => ({
  results: Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(
      Array.from({ length: 90 }, (_, at) => [`n${(at * (1 + 2 * row)) % 1_999}`, 1]),
    ),
  ),
});

/** Loads the API. @returns ends the load, and tells what was answered */
type Attack = () => Promise<() => Promise<unknown>>;

const inLanes =
  (
    forms: () => readonly WireForm[] | Promise<readonly WireForm[]>,
    callers: () => Callers | Promise<Callers>,
  ): Attack =>
  async () => {
    lanes.start({ lanes: LANES, forms: await forms(), callers: await callers() });
    return lanes.end;
  };

/** Opens connections that each send a text. @param meanwhile runs again and again */
const onSockets =
  (count: number, textOf: () => string, meanwhile: (socket: Socket) => void = () => {}): Attack =>
  async () => {
    const sockets = Array.from({ length: count }, () => {
      const socket = connect(Number(new URL(day.origin).port), '127.0.0.1');
      // The Worker may close the connection.
      socket.on('error', () => {});
      socket.write(textOf());
      // No answer is read.
      socket.pause();
      return socket;
    });
    const timer = setInterval(() => sockets.forEach(meanwhile), DRIP_MS);
    return async () => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    };
  };

/** The head of a request with a key of the busy organization. */
const headOf = (method: string, path: string, headers: readonly string[] = []) =>
  [
    `${method} ${busy.path}${path} HTTP/1.1`,
    'Host: api.test',
    `X-API-Key: ${busy.nextKey()}`,
    ...headers,
    '\r\n',
  ].join('\r\n');

const slowBody = (type: string, path: string) => () =>
  `${headOf('POST', path, [`Content-Type: ${type}`, `Content-Length: ${4 * 1_024 * 1_024}`])}${' '.repeat(8_192)}`;

/** All heavy operations with a key that leave the race as it is. */
const heavyForms = () =>
  Promise.all(
    weighedOperations
      .filter((operation) => operation.weight === 'heavy' && !isLast(operation))
      .filter((operation) => !operation.path.startsWith('/api/'))
      .flatMap((operation) => busy.formsOf(operation))
      .map(busy.onWire),
  );

const CONTROL = inLanes(() => [read('')], knownKeys);

const ATTACKS: Record<string, Attack> = {
  'exports with known keys': inLanes(() => [read('/results/export')], knownKeys),
  'heavy operations with known keys': inLanes(heavyForms, knownKeys),
  'heavy operations with new keys of one address': inLanes(heavyForms, () =>
    freshKeys(ONE_ADDRESS),
  ),
  'heavy operations with new keys of many addresses': inLanes(heavyForms, () =>
    freshKeys(MANY_ADDRESSES),
  ),
  'far pages of a distance': inLanes(
    () => [read('/participants?page_size=100&distance=10K&page=290')],
    knownKeys,
  ),
  'corrections in a rare distance': inLanes(
    () => [
      sent(
        'PATCH',
        `/api/v1/organizations/${busy.organizationId}/events/${busy.eventId}/results/17`,
        { chip_time: '99:00:00' },
      ),
    ],
    () => busy.sessions,
  ),
  'bodies of many names': inLanes(
    () => [sent('POST', `${busy.path}/results`, manyNames(4_000))],
    knownKeys,
  ),
  'small bodies of many names': inLanes(
    () => [sent('POST', `${busy.path}/results`, manyNames(100))],
    knownKeys,
  ),
  'slow bodies of JSON': onSockets(LANES, slowBody('application/json', '/results'), (socket) =>
    socket.write(' '),
  ),
  'slow files': onSockets(LANES, slowBody('text/csv', '/results/file'), (socket) =>
    socket.write('x'),
  ),
  'idle sockets': onSockets(SOCKETS, () => ''),
  'sockets with half a head': onSockets(SOCKETS, () => headOf('GET', '').trimEnd()),
  'slow readers': onSockets(LANES, () => headOf('GET', '/results/export')),
};

type Times = Record<'an event read' | 'a live batch', number[]>;

/** The waits of another organization, in ms. A refusal fails the test. */
async function timesBeside(attack: Attack): Promise<Times> {
  const end = await attack();
  try {
    await sleep(SETTLE_MS);
    const readEvent = async () => {
      const response = await fetch(day.origin + quiet.path, {
        headers: { 'X-API-Key': quiet.key() },
      });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`An event read got ${response.status}.`);
    };
    const [reads, batches] = await Promise.all([timesOf(readEvent), timesOf(quiet.upload)]);
    return { 'an event read': reads, 'a live batch': batches };
  } finally {
    process.stdout.write(`${JSON.stringify(await end())}\n`);
  }
}

async function timesOf(ask: () => Promise<void>): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < SAMPLES_IN_ROUND) {
    const startedAt = performance.now();
    await ask();
    taken.push(performance.now() - startedAt);
    await sleep(EVERY_MS);
  }
  return taken;
}

const SHARES = { median: 0.5, '95th': 0.95 };

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? Number.NaN;

test.each(Object.entries(ATTACKS))(
  'serves another organization beside %s as beside 24 lanes of event reads',
  // Another process can spoil a measurement. A slow API fails all three.
  { retry: 2 },
  async (name, attack) => {
    const control: Times = { 'an event read': [], 'a live batch': [] };
    const beside: Times = { 'an event read': [], 'a live batch': [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [times, load] of [
        [control, CONTROL],
        [beside, attack],
      ] as const) {
        const more = await timesBeside(load);
        times['an event read'].push(...more['an event read']);
        times['a live batch'].push(...more['a live batch']);
      }
    }
    const lines = Object.entries(SHARES).flatMap(([share, of]) =>
      (['an event read', 'a live batch'] as const).map((what) => {
        const [ms, controlMs] = [at(beside[what], of), at(control[what], of)];
        const isFelt = ms > SLOWER_MAX * controlMs && ms - controlMs > NOT_FELT_MS;
        const figures = `${ms.toFixed(1)} ms, ${(ms / controlMs).toFixed(2)} x control`;
        return { isFelt, line: `${name}: ${what}, ${share} ${figures}` };
      }),
    );
    process.stdout.write(`${lines.map(({ line }) => line).join('\n')}\n`);
    expect(lines.filter(({ isFelt }) => isFelt)).toEqual([]);
  },
);
