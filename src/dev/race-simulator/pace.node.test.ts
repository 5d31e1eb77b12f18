import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ROWS_PER_JSON_UPLOAD } from '../../worker/results/upload/schemas.ts';
import type { Report } from './plan.ts';
import { pace } from './rehearsal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A report every 200 ms. */
const reportsOf = (count: number): Report[] =>
  Array.from({ length: count }, (_, index) => ({
    atMs: index * 200,
    row: { bib_number: `${index}`, status: 'DNF', splits: {} },
  }));

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function deliveriesOf(count: number, speed: number, latencyMs = 0) {
  const deliveries: { clockMs: number; due: readonly Report[] }[] = [];
  const paced = pace(reportsOf(count), { speed }, async (due, clockMs) => {
    deliveries.push({ clockMs, due });
    await wait(latencyMs);
  });
  await vi.runAllTimersAsync();
  await paced;
  return deliveries;
}

test('delivers the reports of two seconds together, in order, and none before its time', async () => {
  const deliveries = await deliveriesOf(3_000, 1);
  expect(deliveries.flatMap(({ due }) => due)).toEqual(reportsOf(3_000));
  expect(new Set(deliveries.slice(1, -1).map(({ due }) => due.length))).toEqual(new Set([10]));
  const waits = deliveries.flatMap(({ clockMs, due }) => due.map(({ atMs }) => clockMs - atMs));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...waits)).toBeLessThanOrEqual(2_000);
});

test('makes the next delivery larger after a slow one, and starts none before it ends', async () => {
  const deliveries = await deliveriesOf(3_000, 1, 30_000);
  expect(deliveries[1]?.due.length).toBe(160);
});

test('delivers no more rows at once than an upload may have', async () => {
  const deliveries = await deliveriesOf(2 * ROWS_PER_JSON_UPLOAD + 2_000, 3_600);
  expect(deliveries.map(({ due }) => due.length)).toEqual([
    ROWS_PER_JSON_UPLOAD,
    ROWS_PER_JSON_UPLOAD,
    2_000,
  ]);
});

test('ends with the reason of the signal after the delivery under way', async () => {
  const stop = new AbortController();
  let delivered = 0;
  const paced = pace(reportsOf(100), { speed: 1, signal: stop.signal }, async () => {
    stop.abort(new Error('enough'));
    await wait(1_000);
    delivered += 1;
  });
  const ended = expect(paced).rejects.toThrow('enough');
  await vi.runAllTimersAsync();
  await ended;
  expect(delivered).toBe(1);
});

test('ends with what a delivery throws', async () => {
  const refused = pace(reportsOf(100), { speed: 1 }, async () => {
    throw new Error('The API key was revoked.');
  });
  const ended = expect(refused).rejects.toThrow('The API key was revoked.');
  await vi.runAllTimersAsync();
  await ended;
});
