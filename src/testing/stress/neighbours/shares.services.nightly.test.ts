import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { PATIENCE_MS } from '../../../worker/gate/turns.ts';
import {
  compareBeside,
  createNeighbour,
  type Load,
  type Neighbour,
  type Neighbours,
  SLOW_ONCE,
  startNeighbours,
} from './neighbours.ts';

const KIB = 1_024;
const MIB = 1_024 * KIB;
/** An export of so many results does not fit into the buffers of a connection. */
const RESULTS = 100_000;

let neighbours: Neighbours;

beforeEach(async () => {
  neighbours = await startNeighbours(inject('servers'));
});
afterEach(() => neighbours?.stop());

/** A file of `bytes` with a row for each of 200 runners. */
function fileOf(bytes: number): string {
  const rows = Array.from({ length: 200 }, (_, index) => `${index + 1},0:50:00,`);
  const filler = 'n'.repeat(bytes / rows.length - 16);
  return ['bib,time,note', ...rows.map((row) => row + filler)].join('\n');
}

async function served(path: string, key: string, init: RequestInit = {}): Promise<void> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'text/csv' };
  const response = await fetch(neighbours.day.origin + path, { ...init, headers });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${body.slice(0, 200)}`);
}

const FILE = fileOf(MIB);
const requestsOf = ({ path, key, upload }: Neighbour) => ({
  'a batch of 20 rows': upload,
  'a file of 1 MiB': () => served(`${path}/results/file`, key(), { method: 'POST', body: FILE }),
  'an export': () => served(`${path}/results/export`, key()),
});

const SMALLEST = 24;
const LINE = `1,${'n'.repeat(1_000)}\n`;

/**
 * Announces bodies, sends a part of each body, and then a byte now and then. The bodies would fill the memory for all
 * bodies to the last 4 KiB: the Worker reads pieces of 4, 8, 16, 32 and 64 KiB.
 */
const slowBodies =
  (announcedKib: number, { keys: keyCount, bodies: count }: { keys: number; bodies: number }) =>
  async ({ path, key }: Neighbour): Promise<Load> => {
    const keys = Array.from({ length: keyCount }, key);
    return async (signal) => {
      const bodies: ClientRequest[] = [];
      const open = (sentKib: number) => {
        const body = request(`${neighbours.day.origin}${path}/results/file`, {
          method: 'POST',
          headers: {
            'X-API-Key': keys[bodies.length % keyCount],
            'Content-Type': 'text/csv',
            'Content-Length': announcedKib * KIB,
          },
        });
        // The test breaks the request off.
        body.on('error', () => {});
        body.write(`bib,time\n${LINE.repeat(2 * sentKib)}`.slice(0, sentKib * KIB));
        bodies.push(body);
      };
      for (let opened = 0; opened < count; opened++) open(announcedKib - 4);
      for (let opened = 0; opened < SMALLEST; opened++) open(4);
      while (!signal.aborted) {
        for (const body of bodies) body.write('x');
        await sleep(200);
      }
      for (const body of bodies) body.destroy();
    };
  };

const unreadExports = (keyCount: number, exportsOfKey: number) => async (): Promise<Load> => {
  const { eventId, path, key } = await createNeighbour(neighbours.day, RESULTS);
  await neighbours.day.pool.query(
    `insert into results (registration_id, event_id, batch_id, status, chip_time_ms, splits)
      select id, event_id, gen_random_uuid(), 'FINISHED', 3000000 + bib_number::int,
        '{"Km 5": 1200000, "Km 10": 2400000, "Km 15": 3600000, "Km 20": 4800000}'
      from registrations where event_id = $1`,
    [eventId],
  );
  const keys = Array.from({ length: keyCount }, key);
  return async (signal) => {
    const opened = keys.flatMap((key) =>
      Array.from({ length: exportsOfKey }, () => {
        const headers = { 'X-API-Key': key };
        const sent = request(`${neighbours.day.origin}${path}/results/export`, { headers });
        sent.on('response', (answer: IncomingMessage) => answer.pause());
        sent.on('error', () => {});
        sent.end();
        return sent;
      }),
    );
    while (!signal.aborted) await sleep(50);
    for (const sent of opened) sent.destroy();
  };
};

const SETTLE_MS = 2_000;
/** Until the waiting exports are refused, each turn given up by a slow reader computes another export. */
const EXPORTS_SETTLE_MS = PATIENCE_MS + 1_000;

test.each([
  ['18 slow bodies of 256 KiB from 3 keys', slowBodies(256, { keys: 3, bodies: 18 }), SETTLE_MS],
  ['slow bodies of 16 MiB from 2 keys', slowBodies(16 * 1_024, { keys: 2, bodies: 2 }), SETTLE_MS],
  ['two unread exports of each of 8 keys', unreadExports(8, 2), EXPORTS_SETTLE_MS],
] as const)(
  'serves another organization beside %s of one',
  SLOW_ONCE,
  async (_, loadOf, settleMs) => {
    const { busy, quiet } = neighbours;
    const load = await loadOf(busy);
    const ratios: Record<string, number> = {};
    for (const [name, ask] of Object.entries(requestsOf(quiet))) {
      const { ratio, ...times } = await compareBeside(ask, load, { samples: 12, settleMs });
      process.stdout.write(`${name}: ratio ${ratio.toFixed(2)}, ${JSON.stringify(times)}\n`);
      ratios[name] = ratio;
    }
    expect(Object.entries(ratios).filter(([, ratio]) => ratio >= 2)).toEqual([]);
  },
);
