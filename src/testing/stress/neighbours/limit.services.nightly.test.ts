import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { compareBeside, type Neighbours, startNeighbours } from './neighbours.ts';

const LIMIT = 120;

let neighbours: Neighbours;

beforeEach(async () => {
  neighbours = await startNeighbours(inject('servers'));
});
afterEach(() => neighbours?.stop());

/** Sends requests of a key at once, and counts the answers by status. */
async function askAtOnce(key: string, count: number) {
  const { day, busy } = neighbours;
  const statuses: Record<number, number> = {};
  await Promise.all(
    Array.from({ length: count }, async () => {
      const response = await fetch(day.origin + busy.path, { headers: { 'X-API-Key': key } });
      await response.arrayBuffer();
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      if (response.status === 429) {
        const retryAfter = Number(response.headers.get('Retry-After'));
        expect(retryAfter).toBeGreaterThanOrEqual(1);
        expect(retryAfter).toBeLessThanOrEqual(60);
      }
    }),
  );
  return statuses;
}

const linesWith = (text: string) =>
  neighbours.day.printed.filter((line) => line.includes(text)).length;
const begins = () => linesWith('enforces the rate limit alone');
const ends = () => linesWith('The rate limit is enforced again');

test('admits exactly 120 of 600 requests that one key sends at once', async () => {
  const { busy, quiet } = neighbours;
  const key = busy.key();
  expect(await askAtOnce(key, 1)).toEqual({ 200: 1 });
  const answers = askAtOnce(key, 599);
  for (let sent = 0; sent < 5; sent++) await quiet.read();
  expect(await answers).toEqual({ 200: LIMIT - 1, 429: 600 - LIMIT });
  expect(begins()).toBeLessThanOrEqual(1);
  expect(linesWith('"level":"error"')).toBe(begins());
});

test.each([
  ['slow', { kind: 'delay', ms: 4_000 }],
  ['dead', { kind: 'refuse' }],
] as const)(
  'admits 120 requests without waiting while Redis is %s, and counts in Redis again afterwards',
  async (_how, fault) => {
    const { day, busy, quiet } = neighbours;
    const key = busy.key();
    const { ratio, ...times } = await compareBeside(quiet.read, async (signal) => {
      day.stack.upstash.faults.set(day.tag, fault);
      expect(await askAtOnce(key, 300)).toEqual({ 200: LIMIT, 429: 300 - LIMIT });
      while (!signal.aborted) expect(await askAtOnce(key, 5)).toEqual({ 429: 5 });
    });
    process.stdout.write(`ratio ${ratio.toFixed(1)}, ${JSON.stringify(times)}\n`);
    expect(ratio).toBeLessThan(4);
    expect(begins()).toBe(1);
    expect(ends()).toBe(0);

    day.stack.upstash.faults.delete(day.tag);
    await expect
      .poll(
        async () => {
          await quiet.read();
          return ends();
        },
        { interval: 200, timeout: 10_000 },
      )
      .toBe(1);
    const line = day.printed.find((text) => text.includes('The rate limit is enforced again'));
    const { uncounted }: { uncounted: number } = JSON.parse(line ?? '{}');
    expect(uncounted).toBeGreaterThan(0);
    expect(await askAtOnce(busy.key(), 130)).toEqual({ 200: LIMIT, 429: 10 });
  },
);
