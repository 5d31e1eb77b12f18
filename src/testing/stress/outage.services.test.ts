import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ResultsUploadOut } from '../../worker/results/upload/answer-schemas.ts';
import { fetchDocumented } from '../documented.ts';
import { createRace, type RaceDay, startRaceDay } from './race-day.ts';

let day: RaceDay;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
});
afterAll(() => day?.stop());

const BATCHES = 14;
const ROWS = 20;
const EVERY_MS = 1_000;
const AWAY_FROM_MS = 3_500;
const AWAY_FOR_MS = 5_000;

const secondsOf = (bib: number) => 3_600 + bib;
const timeOf = (bib: number) => new Date(1_000 * secondsOf(bib)).toISOString().slice(11, 19);

type Delivery = {
  out: ResultsUploadOut;
  /** The times of the first request and of its answer, and whether the answer was a refusal. */
  sentAt: number;
  answeredAt: number;
  wasRefused: boolean;
};

/** Repeats a batch until the answer says "stored". */
async function deliver(path: string, key: string, batch: number): Promise<Delivery> {
  const results = Array.from({ length: ROWS }, (_, index) => {
    const bib = batch * ROWS + index + 1;
    return { bib_number: `${bib}`, chip_time: timeOf(bib) };
  });
  const sentAt = performance.now();
  let answeredAt: number | undefined;
  for (;;) {
    const response = await fetchDocumented(`${day.origin}${path}/results`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ results }),
    });
    const answer = await response.json();
    const wasRefused = answeredAt !== undefined;
    answeredAt ??= performance.now();
    if (response.status === 200) {
      return { out: ResultsUploadOut.parse(answer), sentAt, answeredAt, wasRefused };
    }
    expect(response.status).toBe(503);
    expect(answer).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const seconds = Number(response.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(0);
    await sleep(1_000 * seconds);
  }
}

/** Ends the running statements, as a crash does. New statements are refused. */
async function leave() {
  await day.breakService('postgres', { kind: 'refuse' });
  await day.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

test('loses no batch of a feed and counts none twice when Postgres is away for 5 s', async () => {
  const race = await createRace(day, { runners: BATCHES * ROWS, keyCount: 2 });
  const { keys } = race;
  const feed = Array.from({ length: BATCHES }, async (_, batch) => {
    await sleep(batch * EVERY_MS);
    return deliver(race.path, keys[batch % 2] ?? '', batch);
  });
  const outage = (async () => {
    await sleep(AWAY_FROM_MS);
    const leavesAt = performance.now();
    await leave();
    const isAwayAt = performance.now();
    await sleep(AWAY_FOR_MS);
    const returnsAt = performance.now();
    await day.mendServices();
    return { leavesAt, isAwayAt, returnsAt, isBackAt: performance.now() };
  })();
  const deliveries = await Promise.all(feed);
  const { leavesAt, isAwayAt, returnsAt, isBackAt } = await outage;

  const during = deliveries.filter(
    ({ sentAt, answeredAt }) => sentAt > isAwayAt && answeredAt < returnsAt,
  );
  const outside = deliveries.filter(
    ({ sentAt, answeredAt }) => answeredAt < leavesAt || sentAt > isBackAt,
  );
  expect(during.length).toBeGreaterThan(0);
  expect(during.filter(({ wasRefused }) => !wasRefused)).toEqual([]);
  expect(outside.length).toBeGreaterThan(0);
  expect(outside.filter(({ wasRefused }) => wasRefused)).toEqual([]);
  for (const { out } of deliveries) {
    expect(out).toMatchObject({ total_processed: ROWS, not_found: 0, errors: 0, duplicates: 0 });
    // A transaction whose answer was lost may have stored the batch before.
    expect([out.uploaded, out.updated]).toContain(ROWS);
  }
  const { rows } = await day.pool.query<{ bib: number; ms: number }>(
    `select bib_number::int as bib, chip_time_ms::int as ms
    from results join registrations on registrations.id = registration_id
    where results.event_id = $1 order by 1`,
    [race.eventId],
  );
  expect(rows).toEqual(
    Array.from({ length: BATCHES * ROWS }, (_, index) => ({
      bib: index + 1,
      ms: 1_000 * secondsOf(index + 1),
    })),
  );
  const { rows: counted } = await day.pool.query<{ uploaded: number }>(
    'select sum(uploaded)::int as uploaded from result_batches where event_id = $1',
    [race.eventId],
  );
  expect(counted).toEqual([{ uploaded: BATCHES * ROWS }]);
});
