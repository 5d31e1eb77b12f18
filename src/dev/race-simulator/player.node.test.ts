import { setImmediate as idle } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ResultsUploadOut } from '../../client/types.ts';
import { unconfirmed } from './check.ts';
import {
  type Entrant,
  planRace,
  type RacePlan,
  type Report,
  type ResultRow,
  SMALLEST_EVENTFUL_RACE,
} from './plan.ts';
import { play, type RaceProgress, type Time } from './player.ts';

const entrants = (count: number): Entrant[] =>
  Array.from({ length: count }, (_, index) => ({
    bib: String(index + 1),
    distance: index % 2 === 0 ? '21K' : '10K',
  }));

/** Time that passes as soon as all code under test sleeps. */
function virtualTime() {
  let nowMs = 0;
  const sleepers = new Set<{ atMs: number; wake: (value?: unknown) => void }>();
  const time: Time = {
    nowMs: () => nowMs,
    sleep(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers();
      const sleeper = { atMs: nowMs + ms, wake: resolve };
      sleepers.add(sleeper);
      const end = () => reject(signal.reason);
      if (signal.aborted) end();
      signal.addEventListener('abort', end, { once: true });
      return promise.finally(() => sleepers.delete(sleeper));
    },
  };
  const pass = async <T>(race: Promise<T>): Promise<T> => {
    let isOver = false;
    const over = race.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await idle();
      const [first] = [...sleepers].sort((a, b) => a.atMs - b.atMs);
      if (!first) continue;
      nowMs = Math.max(nowMs, first.atMs);
      first.wake();
    }
    return over;
  };
  return { time, pass };
}

/** An API that answers with this delay and knows no bib with a question mark. */
function fakeApi(time: Time, latencyMs: () => number = () => 0) {
  const uploads: { atMs: number; rows: ResultRow[] }[] = [];
  const stored = new Map<string, ResultRow>();
  const underWay = new Set<string>();
  let overlaps = 0;
  const never = new AbortController().signal;

  async function upload(rows: ResultRow[]): Promise<ResultsUploadOut> {
    const bibs = rows.map(({ bib_number }) => bib_number);
    overlaps += bibs.filter((bib) => underWay.has(bib)).length;
    for (const bib of bibs) underWay.add(bib);
    uploads.push({ atMs: time.nowMs(), rows });
    await time.sleep(latencyMs(), never);
    for (const bib of bibs) underWay.delete(bib);
    const known = rows.filter(({ bib_number }) => !bib_number.endsWith('?'));
    const distinct = new Map(known.map((row) => [row.bib_number, row]));
    const updated = [...distinct.keys()].filter((bib) => stored.has(bib)).length;
    for (const [bib, row] of distinct) stored.set(bib, row);
    return {
      batch_id: crypto.randomUUID(),
      total_processed: rows.length,
      uploaded: distinct.size - updated,
      updated,
      unchanged: 0,
      not_found: rows.length - known.length,
      errors: 0,
      duplicates: known.length - distinct.size,
      splits_detected: [],
      failed: rows.flatMap(({ bib_number }, index) =>
        bib_number.endsWith('?')
          ? [{ row: index + 1, bib_number, reason: 'unknown', reason_code: 'unknown_bib' as const }]
          : [],
      ),
    };
  }
  return { upload, uploads, stored, overlaps: () => overlaps };
}

const running = new AbortController().signal;

test('uploads every report at any speed, and a bib in one upload at a time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 150 }),
      fc.constantFrom(1, 10, 60, 600, 3_600),
      fc.constantFrom(0, 50, 3_000, 20_000),
      fc.nat(),
      async (runners, speed, latencyMs, seed) => {
        const { time, pass } = virtualTime();
        const api = fakeApi(time, () => latencyMs);
        const plan = planRace(entrants(runners), seed);
        const race = await pass(play({ plan, speed, upload: api.upload, signal: running, time }));

        expect(race.interruption).toBeUndefined();
        expect(unconfirmed(race)).toEqual([]);
        expect(race.stored).toEqual(api.stored);
        const { uploaded, updated, duplicates, not_found, errors } = race.counts;
        expect(uploaded + updated + duplicates + not_found + errors).toBe(plan.reports.length);
        expect(uploaded).toBe(plan.finalRows.size);
        expect(race.rejections).toHaveLength(not_found);

        expect(api.overlaps()).toBe(0);
      },
    ),
    { numRuns: 40 },
  );
});

test('uploads the arrivals of two seconds together, and none before its time', async () => {
  const { time, pass } = virtualTime();
  const api = fakeApi(time);
  const reports = Array.from({ length: 3_000 }, (_, index): Report => {
    return { atMs: index * 200, row: { bib_number: `${index}`, status: 'DNF', splits: {} } };
  });
  const plan: RacePlan = { reports, finalRows: new Map(), endsAtMs: 600_000 };
  await pass(play({ plan, speed: 1, upload: api.upload, signal: running, time }));
  const sizes = api.uploads.map(({ rows }) => rows.length);
  expect(new Set(sizes.slice(0, -1))).toEqual(new Set([11]));
  const uploadedAt = new Map(
    api.uploads.flatMap(({ atMs, rows }) => rows.map((row) => [row, atMs] as const)),
  );
  const waits = reports.map(({ atMs, row }) => (uploadedAt.get(row) ?? Number.NaN) - atMs);
  expect(Math.min(...waits)).toBe(0);
  expect(Math.max(...waits)).toBe(2_000);
});

test('makes the next upload larger after a slow answer', async () => {
  const largest = async (latencyMs: number) => {
    const { time, pass } = virtualTime();
    const api = fakeApi(time, () => latencyMs);
    const plan = planRace(entrants(150), 7);
    await pass(play({ plan, speed: 60, upload: api.upload, signal: running, time }));
    return Math.max(...api.uploads.map(({ rows }) => rows.length));
  };
  expect(await largest(30_000)).toBeGreaterThan(2 * (await largest(0)));
});

describe('a race that ends early', () => {
  test('counts the upload under way when the signal ends the race', async () => {
    const { time, pass } = virtualTime();
    const stop = new AbortController();
    const api = fakeApi(time, () => 1_000);
    const upload = (rows: ResultRow[]) => {
      if (api.uploads.length === 5) stop.abort(new Error('enough'));
      return api.upload(rows);
    };
    const plan = planRace(entrants(100), 7);
    const race = await pass(play({ plan, speed: 60, upload, signal: stop.signal, time }));
    expect(race.interruption).toEqual(new Error('enough'));
    expect(race.uploads).toBe(6);
    expect(race.stored).toEqual(api.stored);
    expect(race.clockMs).toBeLessThan(plan.endsAtMs);
  });

  test('ends when the API refuses an upload', async () => {
    const { time, pass } = virtualTime();
    const api = fakeApi(time);
    const refusal = new Error('The API key was revoked.');
    const upload = (rows: ResultRow[]) =>
      api.uploads.length < 3 ? api.upload(rows) : Promise.reject(refusal);
    const plan = planRace(entrants(100), 7);
    const race = await pass(play({ plan, speed: 60, upload, signal: running, time }));
    expect(race.interruption).toBe(refusal);
    expect(race.uploads).toBe(3);
    expect(unconfirmed(race)).toHaveLength(plan.finalRows.size - race.stored.size);
  });
});

test('names the bibs that were never loaded', async () => {
  const { time, pass } = virtualTime();
  const api = fakeApi(time);
  const withdraw = ({ bib_number, ...row }: ResultRow): ResultRow =>
    bib_number === '3' ? { ...row, bib_number: '3?' } : { ...row, bib_number };
  const upload = (rows: ResultRow[]) => api.upload(rows.map(withdraw));
  const plan = planRace(entrants(SMALLEST_EVENTFUL_RACE - 1), 7);
  const race = await pass(play({ plan, speed: 60, upload, signal: running, time }));
  expect(race.interruption).toBeUndefined();
  expect(unconfirmed(race)).toEqual([{ bib: '3', what: 'FINISHED was not loaded' }]);
  expect(race.rejections).toEqual([{ bib: '3?', reason: 'unknown' }]);
});

test('reports the last progress at the end of the race', async () => {
  const { time, pass } = virtualTime();
  const api = fakeApi(time);
  const plan = planRace(entrants(100), 7);
  let last: RaceProgress | undefined;
  const onProgress = (progress: RaceProgress) => {
    last = progress;
  };
  await pass(play({ plan, speed: 60, upload: api.upload, signal: running, onProgress, time }));
  expect(last).toEqual({ ...last, clockMs: plan.endsAtMs, stored: api.stored });
  expect(last?.uploads).toBe(api.uploads.length);
});
