import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { generateApiKey } from '../../../worker/auth/api-key/api-key.ts';
import { compareBeside, type Load, type Neighbours, startNeighbours } from './neighbours.ts';

const CONNECTIONS = 40;
const EVERY_MS = 200;
/** The limit of refused answers for an address in 10 seconds. */
const REFUSALS = 100;

let neighbours: Neighbours;

beforeAll(async () => {
  neighbours = await startNeighbours(inject('servers'), { refusals: REFUSALS });
});
afterAll(() => neighbours?.stop());

let sent = 0;

/** Connections of an address, each with up to five requests a second. */
const flood =
  (address: string, next: () => { path: string; headers?: Record<string, string> }): Load =>
  async (signal) => {
    const connection = async () => {
      while (!signal.aborted) {
        const { path, headers = {} } = next();
        const response = await fetch(neighbours.day.origin + path, {
          headers: { ...headers, 'CF-Connecting-IP': address },
        });
        await response.arrayBuffer();
        sent += 1;
        await sleep(EVERY_MS);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  };

/** Requests refused after a trip to the database. */
const refusedTrips = () =>
  neighbours.day.printed.filter((line) => /"status":40[14],.*"trips":[1-9]/.test(line)).length;

test.each([
  [
    'false keys',
    flood('192.0.2.1', () => ({
      path: '/public/v1/events',
      headers: { 'X-API-Key': generateApiKey() },
    })),
  ],
  ['random boards', flood('192.0.2.2', () => ({ path: `/board/${crypto.randomUUID()}/data` }))],
  ['health checks', flood('192.0.2.3', () => ({ path: '/healthz' }))],
  ['readiness checks', flood('192.0.2.4', () => ({ path: '/readyz' }))],
])('uploads as fast beside %s from one address', async (_what, load) => {
  const { quiet } = neighbours;
  sent = 0;
  const before = refusedTrips();
  const { ratio, ...times } = await compareBeside(quiet.upload, load);
  process.stdout.write(`${sent} requests, ratio ${ratio.toFixed(1)}, ${JSON.stringify(times)}\n`);
  expect(sent).toBeGreaterThan(REFUSALS + CONNECTIONS);
  // At the limit each connection may have a further request under way.
  expect(refusedTrips() - before).toBeLessThanOrEqual(2 * (REFUSALS + CONNECTIONS));
  expect(ratio).toBeLessThan(4);
});

test('serves boards and keys that it has not seen beside false keys from the same address', async () => {
  const { day, quiet } = neighbours;
  const headers = { 'CF-Connecting-IP': '192.0.2.5' };
  const send = async (path: string, key = '') => {
    const response = await fetch(day.origin + path, { headers: { ...headers, 'X-API-Key': key } });
    await response.arrayBuffer();
    return response.status;
  };
  const events = '/public/v1/events';
  const sendFalse = () => send(events, generateApiKey());
  const refused = await Promise.all(Array.from({ length: 310 }, sendFalse));
  expect(new Set(refused).has(200)).toBe(false);
  const race = await day.createRace(1);
  const keys = await Promise.all(Array.from({ length: 5 }, () => race.createKey()));
  const more = Array.from({ length: 20 }, sendFalse);
  const live = await Promise.all(keys.map((key) => send(events, key)));
  expect(live).toEqual(keys.map(() => 200));
  expect(await send(`/board/${quiet.eventId}/data`)).toBe(404);
  await Promise.all(more);
});
