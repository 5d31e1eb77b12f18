import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { randomOf } from '../../dev/race-simulator/random.ts';
import { ResultsUploadOut } from '../../worker/results/upload/answer-schemas.ts';
import { fetchDocumented } from '../documented.ts';
import { createRace, type RaceDay, startRaceDay } from './race-day.ts';
import { serialOrderOf, type Written } from './serial-order.ts';

let day: RaceDay;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
});
afterAll(() => day?.stop());

type Status = 'FINISHED' | 'DSQ' | 'DNF';
type Row = { bib_number: string; chip_time?: string; gun_time?: string; status?: Status };
type Stored = { bib: string; status: Status; batch: string; ms: number | null };
type Sent = {
  rows: readonly Row[];
  status: number;
  sentAt: number;
  answeredAt: number;
  out: ResultsUploadOut | undefined;
};

/** A crew does not give up, but a test does. */
const LONGEST_MS = 120_000;

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 23);

/** Sends rows like a crew: repeats a 503, with the key of the first attempt, after the time in the answer. */
async function upload(path: string, key: string, rows: readonly Row[]): Promise<Sent> {
  const sentAt = performance.now();
  const headers = {
    'X-API-Key': key,
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  };
  const body = JSON.stringify({ results: rows });
  const send = () =>
    fetchDocumented(`${day.origin}${path}/results`, { method: 'POST', headers, body });
  let response = await send();
  for (const end = sentAt + LONGEST_MS; response.status === 503 && performance.now() < end; ) {
    await sleep(Number(response.headers.get('Retry-After')) * 1_000);
    response = await send();
  }
  const answer = await response.json();
  const out = response.ok ? ResultsUploadOut.strict().parse(answer) : undefined;
  return { rows, status: response.status, sentAt, answeredAt: performance.now(), out };
}

/** The stored results by bib, each with its upload. */
async function stored(eventId: string) {
  const { rows } = await day.pool.query<Stored>(
    `select registration.bib_number as bib, result.status, result.batch_id::text as batch,
      coalesce(result.chip_time_ms, result.gun_time_ms)::int as ms
    from results result join registrations registration on registration.id = result.registration_id
    where result.event_id = $1`,
    [eventId],
  );
  return new Map(rows.map((row) => [row.bib, row]));
}

const meaningOf = ({ chip_time, gun_time, status = 'FINISHED' }: Row) => ({
  status,
  ms: status === 'FINISHED' ? Date.parse(`1970-01-01T${chip_time ?? gun_time}Z`) : null,
});

/** The results of the uploads, applied in this order. */
function replay(order: readonly string[], uploads: readonly Written<Row>[]) {
  const byId = new Map(uploads.map((one) => [one.id, one]));
  const result = new Map<string, ReturnType<typeof meaningOf>>();
  for (const id of order) {
    for (const [bib, row] of byId.get(id)?.rows ?? []) result.set(bib, meaningOf(row));
  }
  return result;
}

/** The rows that each upload has to write: the last row of each bib. */
const written = (sent: readonly Sent[], isWritten: (row: Row) => boolean): Written<Row>[] =>
  sent.map(({ rows, out }) => ({
    id: out?.batch_id ?? '',
    rows: new Map(rows.filter(isWritten).map((row) => [row.bib_number, row])),
  }));

const total = (sent: readonly Sent[], count: 'uploaded' | 'updated' | 'not_found' | 'errors') =>
  sent.reduce((sum, { out }) => sum + (out?.[count] ?? 0), 0);

async function expectSerial(eventId: string, uploads: readonly Written<Row>[]) {
  const rows = await stored(eventId);
  const order = serialOrderOf(
    uploads,
    new Map(Array.from(rows, ([bib, { batch }]) => [bib, batch])),
    isDeepStrictEqual,
  );
  if (!order)
    throw new Error('No order of the uploads, one after the other, ends in what is stored.');
  const expected = replay(order, uploads);
  const found = new Map(Array.from(rows, ([bib, { status, ms }]) => [bib, { status, ms }]));
  expect(found).toEqual(expected);
  return rows;
}

/** The values in an order determined by the generator. */
function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const places = new Map(values.map((value) => [value, random()]));
  return values.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

const bibsUpTo = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);

test('stores 8 simultaneous uploads of 5 000 overlapping rows as if one came after the other', async () => {
  const random = randomOf(8);
  for (let round = 0; round < 2; round++) {
    const race = await createRace(day, { runners: 8_000, keyCount: 8 });
    const { keys } = race;
    const batches = keys.map((key, crew) => ({
      key,
      rows: shuffled(bibsUpTo(8_000), random)
        .slice(0, 5_000)
        .map((bib_number): Row => {
          if (random() < 0.05) return { bib_number, status: 'DSQ' };
          // Few different seconds, so that many runners of an upload share a place.
          const seconds = 3_600 + Math.floor(random() * 900);
          return { bib_number, chip_time: timeOf(1_000 * seconds + crew) };
        }),
    }));
    const sent = await Promise.all(batches.map(({ key, rows }) => upload(race.path, key, rows)));
    expect(sent.map(({ status }) => status)).toEqual(keys.map(() => 200));
    const held = new Set(sent.flatMap(({ rows }) => rows.map(({ bib_number }) => bib_number)));
    expect(total(sent, 'uploaded')).toBe(held.size);
    expect(total(sent, 'updated')).toBe(8 * 5_000 - held.size);
    await expectSerial(
      race.eventId,
      written(sent, () => true),
    );
  }
});

const REGISTERED = 20_000;
const FINISHERS = 15_000;
const POINTS = 4;
const KEYS_PER_POINT = 4;
const ROWS_PER_BATCH = 20;
const EVERY_MS = 100;

/** The batches of each timing point, in order, with the mistakes of a real race. */
function planRace(random: () => number): Row[][][] {
  const finishers = shuffled(bibsUpTo(REGISTERED), random).slice(0, FINISHERS);
  const queues = Array.from({ length: POINTS }, (): Row[] => []);
  const corrections: { point: number; row: Row }[] = [];
  for (const [place, bib_number] of finishers.entries()) {
    const point = Math.floor(random() * POINTS);
    const ms = 3_600_000 + 400 * place + Math.floor(random() * 4) * 500;
    const isOut = random() < 0.02;
    queues[point]?.push(
      isOut ? { bib_number, status: 'DNF' } : { bib_number, chip_time: timeOf(ms) },
    );
    if (random() < 0.2)
      queues[(point + 1) % POINTS]?.push({ bib_number, gun_time: timeOf(ms + 900) });
    const fate = random();
    if (fate < 0.05) {
      corrections.push({
        point,
        row: { bib_number, chip_time: timeOf(ms - Math.floor(random() * 60_000)) },
      });
    } else if (fate < 0.06) corrections.push({ point, row: { bib_number, status: 'DSQ' } });
    if (random() < 0.005)
      queues[point]?.push({ bib_number: `walker ${place}`, chip_time: timeOf(ms) });
    if (random() < 0.005) queues[point]?.push({ bib_number, chip_time: '1:2:3' });
  }
  for (const { point, row } of corrections) {
    // A correction comes in the second half of the race, from any point.
    const queue = queues[random() < 0.5 ? point : (point + 2) % POINTS] ?? [];
    queue.splice(Math.floor(queue.length * (0.5 + random() / 2)), 0, row);
  }
  return queues.map((queue) =>
    Array.from({ length: Math.ceil(queue.length / ROWS_PER_BATCH) }, (_, index) =>
      queue.slice(index * ROWS_PER_BATCH, (index + 1) * ROWS_PER_BATCH),
    ).flatMap((batch) => (random() < 0.03 ? [batch, batch] : [batch])),
  );
}

const isUnknown = ({ bib_number }: Row) => bib_number.startsWith('walker');
const isWrong = ({ chip_time }: Row) => chip_time === '1:2:3';
const isLoadable = (row: Row) => !isUnknown(row) && !isWrong(row);

test('loses no row of 15 000 finishers from 4 timing points', async () => {
  const race = await createRace(day, { runners: REGISTERED, keyCount: POINTS * KEYS_PER_POINT });
  const { keys } = race;
  const plan = planRace(randomOf(15_000));

  const start = performance.now();
  const feeds = plan.map(async (batches, point) => {
    const answers: Promise<Sent>[] = [];
    for (const [index, batch] of batches.entries()) {
      // The batch is sent when due, even if earlier batches have no answer yet.
      await sleep(Math.max(0, start + index * EVERY_MS - performance.now()));
      const key = keys[point * KEYS_PER_POINT + (index % KEYS_PER_POINT)] ?? '';
      answers.push(upload(race.path, key, batch));
    }
    return Promise.all(answers);
  });
  const sent = (await Promise.all(feeds)).flat();

  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
  const rows = sent.flatMap((one) => one.rows);
  const uploads = written(sent, isLoadable);
  const loadable = uploads.reduce((sum, one) => sum + one.rows.size, 0);
  const held = new Set(rows.filter(isLoadable).map(({ bib_number }) => bib_number));
  expect(held.size).toBe(FINISHERS);
  expect({
    uploaded: total(sent, 'uploaded'),
    updated: total(sent, 'updated'),
    notFound: total(sent, 'not_found'),
    errors: total(sent, 'errors'),
    processed: sent.reduce((sum, { out }) => sum + (out?.total_processed ?? 0), 0),
  }).toEqual({
    uploaded: FINISHERS,
    updated: loadable - FINISHERS,
    notFound: rows.filter(isUnknown).length,
    errors: rows.filter(isWrong).length,
    processed: rows.length,
  });
  const { rows: recorded } = await day.pool.query<{
    batches: number;
    uploaded: number;
    updated: number;
  }>(
    `select count(*)::int as batches, sum(uploaded)::int as uploaded, sum(updated)::int as updated
    from result_batches where event_id = $1`,
    [race.eventId],
  );
  expect(recorded).toEqual([
    { batches: sent.length, uploaded: FINISHERS, updated: loadable - FINISHERS },
  ]);

  const final = await expectSerial(race.eventId, uploads);
  expect(final.size).toBe(FINISHERS);
  expectNewestWins(sent, new Map(Array.from(final, ([bib, { batch }]) => [bib, batch])));
});

/** The answered upload does not undo a row sent after the answer. An equal row changes nothing. */
function expectNewestWins(sent: readonly Sent[], lastWriterOf: ReadonlyMap<string, string>) {
  const byId = new Map(sent.map((one) => [one.out?.batch_id ?? '', one]));
  const overruled = sent.flatMap(({ rows, sentAt }) =>
    rows.filter(isLoadable).filter((row) => {
      const last = byId.get(lastWriterOf.get(row.bib_number) ?? '');
      if (last === undefined) return true;
      return last.answeredAt < sentAt && !last.rows.some((other) => isDeepStrictEqual(other, row));
    }),
  );
  expect(overruled).toEqual([]);
}
